/* sockets.h: the sockets of POSIX. On Windows, these names call its own functions, and errors are in errno as elsewhere. */
#ifndef ANIM_BASE_SOCKETS_H
#define ANIM_BASE_SOCKETS_H

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>

#define socket(...) anim_sys_socket(__VA_ARGS__)
#define bind(...) anim_sys_network(bind(__VA_ARGS__))
#define connect(...) anim_sys_network(connect(__VA_ARGS__))
#define poll(...) anim_sys_network(WSAPoll(__VA_ARGS__))
#define recvfrom(...) anim_sys_network(recvfrom(__VA_ARGS__))
#define send(...) anim_sys_send(__VA_ARGS__)
#define anim_sys_close_socket closesocket
int anim_sys_socket(int family, int type, int protocol);
int anim_sys_send(int to, const void *bytes, size_t size, int flags);
int anim_sys_network(int result); /* returns it, and sets errno if it is an error */
#else
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#define anim_sys_close_socket close
#endif

#ifndef MSG_DONTWAIT
#define MSG_DONTWAIT 0 /* POSIX lacks it. After poll, nothing waits. */
#endif

#endif
