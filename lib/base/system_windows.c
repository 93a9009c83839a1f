/* system_windows.c: the system interface on 64-bit Windows. */
#include "base/system.h"

#include <winsock2.h>
#include <ws2tcpip.h>

#include <ntsecapi.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"

/* ---- Names and errors ---- */

static int fail(void)
{
	static const struct {
		DWORD code;
		int sys;
	} rows[] = {
	    {ERROR_FILE_NOT_FOUND, ENOENT},      {ERROR_PATH_NOT_FOUND, ENOENT}, {ERROR_BAD_NETPATH, ENOENT},
	    {ERROR_BAD_NET_NAME, ENOENT},        {ERROR_ACCESS_DENIED, EACCES},  {ERROR_WRITE_PROTECT, EROFS},
	    {ERROR_SHARING_VIOLATION, EBUSY},    {ERROR_LOCK_VIOLATION, EBUSY},  {ERROR_USER_MAPPED_FILE, EBUSY},
	    {ERROR_FILE_EXISTS, EEXIST},         {ERROR_ALREADY_EXISTS, EEXIST}, {ERROR_DISK_FULL, ENOSPC},
	    {ERROR_HANDLE_DISK_FULL, ENOSPC},    {ERROR_BROKEN_PIPE, EPIPE},     {ERROR_NO_DATA, EPIPE},
	    {ERROR_INVALID_NAME, EINVAL},        {ERROR_BAD_PATHNAME, EINVAL},   {ERROR_DIRECTORY, ENOTDIR},
	    {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},    {ERROR_OUTOFMEMORY, ENOMEM},    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
	    {ERROR_TOO_MANY_OPEN_FILES, EMFILE}, {ERROR_INVALID_HANDLE, EBADF}};
	DWORD code = GetLastError();

	errno = EIO;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].code == code)
			errno = rows[i].sys;
	return -1;
}

/* EINVAL comes from names. */
void anim_sys_reason(int sys, char *text, size_t capacity)
{
	snprintf(text, capacity, "%s",
		 sys == EBUSY         ? "another program has it open"
		 : sys == EINVAL      ? "Windows does not allow this name"
		 : sys == EADDRINUSE  ? "Address already in use"
		 : sys == ENETUNREACH ? "Network is unreachable"
				      : strerror(sys));
}

/* Return a text in UTF-8, owned by the caller. */
static char *narrow(const wchar_t *text)
{
	int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
	char *out = malloc((size_t)size + 1);

	if (out == NULL)
		return NULL;
	WideCharToMultiByte(CP_UTF8, 0, text, -1, out, size, NULL, NULL);
	return out;
}

static void use_slashes(char *path)
{
	for (; *path != '\0'; path++)
		if (*path == '\\')
			*path = '/';
}

static wchar_t *widened(const char *text, size_t more)
{
	int count = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
	wchar_t *out = count == 0 ? NULL : malloc(((size_t)count + more) * sizeof *out);

	if (out == NULL)
		errno = count == 0 ? EINVAL : ENOMEM;
	else
		MultiByteToWideChar(CP_UTF8, 0, text, -1, out, count);
	return out;
}

static bool begins_with_drive(const char *path)
{
	return ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z')) && path[1] == ':' &&
	       (path[2] == '/' || path[2] == '\\' || path[2] == '\0');
}

/* Replace a name by the long form that has no limit. Names of devices, such as con and nul.glb, are refused, but "nul" is not. */
static wchar_t *lengthened(wchar_t *name)
{
	DWORD size = GetFullPathNameW(name, 0, NULL, NULL);
	wchar_t *full = malloc((size + 8) * sizeof *full);

	if (full == NULL || size == 0 || GetFullPathNameW(name, size, full + 4, NULL) == 0) {
		errno = ENOMEM;
	} else if (wcsncmp(full + 4, L"\\\\.\\", 4) == 0 && _wcsicmp(name, L"nul") != 0) {
		errno = EINVAL;
	} else if (size < MAX_PATH - 16 || full[4] == L'\\') {
		free(full);
		return name;
	} else {
		memcpy(full, L"\\\\?\\", 4 * sizeof *full);
		free(name);
		return full;
	}
	free(full);
	free(name);
	return NULL;
}

/* Return the name of a path for the system, owned by the caller. */
static wchar_t *wide(const char *path)
{
	const char *from = path, *colon;
	wchar_t *name;

	for (const char *at = path; *at != '\0'; at++)
		if ((at == path || at[-1] == '/') && begins_with_drive(at))
			from = at;
	colon = strrchr(from, ':'); /* a later one would name a stream of a file */
	if (colon != NULL && colon != from + 1 && !(colon > from + 1 && colon[-2] == '/')) {
		errno = EINVAL;
		return NULL;
	}
	name = strcmp(path, "/dev/null") == 0 ? widened("nul", 1) : *from == '\0' ? NULL : widened(from, 1);
	if (name == NULL) {
		errno = *from == '\0' ? ENOENT : errno;
		return NULL;
	}
	for (wchar_t *at = name; *at != L'\0'; at++)
		if (*at == L'/')
			*at = L'\\';
	if (begins_with_drive(from) && from[2] == '\0') /* the drive's root, and not its working folder */
		wcscat(name, L"\\");
	return lengthened(name);
}

/* Call a function that returns a BOOL with the name of a path. */
#define WITH_NAME(path, call)                                         \
	do {                                                          \
		wchar_t *name = wide(path);                           \
		int result = name == NULL ? -1 : (call) ? 0 : fail(); \
                                                                      \
		free(name);                                           \
		return result;                                        \
	} while (0)

/* ---- Files ---- */

#define SHARED (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

static HANDLE open_name(const char *path, DWORD access, DWORD creation, DWORD flags)
{
	wchar_t *name = wide(path);
	HANDLE file = name == NULL ? INVALID_HANDLE_VALUE
				   : CreateFileW(name, access, SHARED, NULL, creation,
						 FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);

	if (name != NULL && file == INVALID_HANDLE_VALUE)
		fail();
	free(name);
	return file;
}

static int state_of(HANDLE file, bool as_link, struct anim_stat *out)
{
	BY_HANDLE_FILE_INFORMATION info = {0};
	DWORD type = GetFileType(file);
	uint64_t time;

	*out = (struct anim_stat){.kind = type == FILE_TYPE_PIPE ? ANIM_PIPE : ANIM_DEVICE, .number = (uintptr_t)file};
	if (type == FILE_TYPE_PIPE || type == FILE_TYPE_CHAR)
		return 0;
	/* wine, and some file systems, know no more than the size of a redirected file. */
	if (!GetFileInformationByHandle(file, &info)) {
		info.nFileSizeLow = GetFileSize(file, &info.nFileSizeHigh);
		info.nFileIndexLow = (uint32_t)(uintptr_t)file;
		if (info.nFileSizeLow == INVALID_FILE_SIZE)
			return fail();
	}
	time = (uint64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime;
	out->kind = as_link && info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT ? ANIM_LINK
		    : info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY              ? ANIM_FOLDER
										    : ANIM_FILE;
	out->volume = info.dwVolumeSerialNumber;
	out->number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
	out->size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
	out->links = info.nNumberOfLinks;
	out->changed_s = (int64_t)(time / 10000000);
	out->changed_ns = (int64_t)(time % 10000000 * 100);
	return 0;
}

static int state_of_path(const char *path, bool as_link, struct anim_stat *out)
{
	HANDLE file = open_name(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, as_link ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
	int result = file == INVALID_HANDLE_VALUE ? -1 : state_of(file, as_link, out);

	if (file != INVALID_HANDLE_VALUE)
		CloseHandle(file);
	return result;
}

int anim_sys_stat(const char *path, struct anim_stat *out)
{
	return state_of_path(path, false, out);
}

int anim_sys_lstat(const char *path, struct anim_stat *out)
{
	return state_of_path(path, true, out);
}

static HANDLE handle_of(int fd)
{
	return (HANDLE)_get_osfhandle(fd);
}

int anim_sys_fstat(int fd, struct anim_stat *out)
{
	return state_of(handle_of(fd), false, out);
}

bool anim_sys_may(const char *path, int how)
{
	wchar_t *name = wide(path);
	DWORD attributes = name == NULL ? INVALID_FILE_ATTRIBUTES : GetFileAttributesW(name);

	if (name != NULL && attributes == INVALID_FILE_ATTRIBUTES)
		fail();
	free(name);
	if (attributes != INVALID_FILE_ATTRIBUTES && how == ANIM_MAY_WRITE && attributes & FILE_ATTRIBUTE_READONLY) {
		errno = EACCES;
		return false;
	}
	return attributes != INVALID_FILE_ATTRIBUTES && (how != ANIM_MAY_RUN || anim_text_ends(path, ".exe"));
}

static int descriptor(HANDLE file, int flags)
{
	return file == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)file, flags | _O_BINARY | _O_NOINHERIT);
}

int anim_sys_open(const char *path, enum anim_open how)
{
	bool reads = how == ANIM_OPEN_READ || how == ANIM_OPEN_PLAIN;

	return descriptor(open_name(path, reads ? GENERIC_READ : GENERIC_WRITE,
				    how == ANIM_OPEN_NEW ? CREATE_NEW : OPEN_EXISTING,
				    how == ANIM_OPEN_PLAIN ? FILE_FLAG_OPEN_REPARSE_POINT : 0),
			  reads ? _O_RDONLY : 0);
}

/* In %TMPDIR% or the user's folder of temporary files. */
int anim_sys_open_unnamed(const char **folder)
{
	static volatile LONG count;
	static char shown[3 * MAX_PATH];
	wchar_t path[MAX_PATH + 1] = L"";
	char name[sizeof shown + 64];

	if (GetEnvironmentVariableW(L"TMPDIR", path, MAX_PATH) == 0)
		GetTempPathW(MAX_PATH, path);
	WideCharToMultiByte(CP_UTF8, 0, path, -1, shown, sizeof shown - 1, NULL, NULL);
	use_slashes(shown);
	*folder = shown;
	snprintf(name, sizeof name, "%s/anim-%lu-%ld.tmp", shown, GetCurrentProcessId(), InterlockedIncrement(&count));
	return descriptor(open_name(name, GENERIC_READ | GENERIC_WRITE | DELETE, CREATE_NEW, FILE_FLAG_DELETE_ON_CLOSE),
			  _O_RDWR);
}

int anim_sys_duplicate(int fd)
{
	HANDLE copy, self = GetCurrentProcess();

	return DuplicateHandle(self, handle_of(fd), self, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS) ? descriptor(copy, 0)
												  : fail();
}

static DWORD piece(size_t size)
{
	return size < 1u << 30 ? (DWORD)size : 1u << 30;
}

ssize_t anim_sys_read(int fd, void *to, size_t size)
{
	DWORD got = 0;

	if (ReadFile(handle_of(fd), to, piece(size), &got, NULL) || GetLastError() == ERROR_BROKEN_PIPE)
		return got;
	return fail();
}

/* ReadFile moves the position, also with an offset of its own. */
ssize_t anim_sys_read_at(int fd, void *to, size_t size, uint64_t offset)
{
	OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
	HANDLE file = handle_of(fd);
	LARGE_INTEGER zero = {0}, before;
	bool is_read, moves = SetFilePointerEx(file, zero, &before, FILE_CURRENT);
	DWORD got = 0;

	is_read = ReadFile(file, to, piece(size), &got, &at) || GetLastError() == ERROR_HANDLE_EOF;
	if (!is_read)
		fail();
	if (moves)
		SetFilePointerEx(file, before, NULL, FILE_BEGIN);
	return is_read ? (ssize_t)got : -1;
}

ssize_t anim_sys_write_at(int fd, const void *bytes, size_t size, uint64_t offset)
{
	OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
	DWORD done = 0;

	return WriteFile(handle_of(fd), bytes, piece(size), &done, &at) ? (ssize_t)done : fail();
}

ssize_t anim_sys_write_both(int fd, const void *first, size_t first_size, const void *second, size_t second_size)
{
	DWORD done = 0;

	return WriteFile(handle_of(fd), first_size > 0 ? first : second,
			 piece(first_size > 0 ? first_size : second_size), &done, NULL)
		   ? (ssize_t)done
		   : fail();
}

int anim_sys_sync(int fd)
{
	return FlushFileBuffers(handle_of(fd)) ? 0 : fail();
}

/* If a program reads the replaced file, it must be moved away first. It vanishes when that program closes it. */
static bool replace_open_file(const wchar_t *from, const wchar_t *to)
{
	size_t size = wcslen(to) + 32;
	wchar_t *aside = malloc(size * sizeof *aside);
	bool done = false;

	if (aside == NULL)
		return false;
	swprintf(aside, size, L"%ls.anim-%lu.old", to, GetCurrentProcessId());
	if (!MoveFileExW(to, aside, 0)) {
		fail(); /* the first attempt gave no reason */
	} else {
		done = MoveFileExW(from, to, 0);
		if (done)
			DeleteFileW(aside);
		else
			MoveFileExW(aside, to, 0);
	}
	free(aside);
	return done;
}

int anim_sys_rename(const char *from, const char *to)
{
	wchar_t *a = wide(from), *b = wide(to);
	int result = a == NULL || b == NULL ? -1 : 0;

	if (result == 0 && !MoveFileExW(a, b, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
		result = fail();
		if ((errno == EACCES || errno == EBUSY) && replace_open_file(a, b))
			result = 0;
	}
	free(a);
	free(b);
	return result;
}

int anim_sys_link(const char *file, const char *path)
{
	wchar_t *old = wide(file), *name = old == NULL ? NULL : wide(path);
	int result = name == NULL ? -1 : CreateHardLinkW(name, old, NULL) ? 0 : fail();

	free(name);
	free(old);
	return result;
}

int anim_sys_remove(const char *path)
{
	WITH_NAME(path, DeleteFileW(name));
}

int anim_sys_make_folder(const char *path)
{
	WITH_NAME(path, CreateDirectoryW(name, NULL));
}

int anim_sys_remove_folder(const char *path)
{
	WITH_NAME(path, RemoveDirectoryW(name));
}

/* The system's answer is \\?\C:\clips or \\?\UNC\server\share. */
char *anim_sys_real_path(const char *path)
{
	HANDLE file = open_name(path, 0, OPEN_EXISTING, 0);
	DWORD size = file == INVALID_HANDLE_VALUE ? 0 : GetFinalPathNameByHandleW(file, NULL, 0, 0);
	wchar_t *name = size == 0 ? NULL : malloc((size + 1) * sizeof *name);
	char *real = NULL;

	if (name != NULL && GetFinalPathNameByHandleW(file, name, size + 1, 0) > 4) {
		bool is_server = wcsncmp(name + 4, L"UNC\\", 4) == 0;
		wchar_t *from = name + (is_server ? 6 : 3);

		from[0] = L'\\';
		if (is_server)
			from[1] = L'\\';
		real = narrow(from);
	} else if (file != INVALID_HANDLE_VALUE) {
		fail();
	}
	if (real != NULL)
		use_slashes(real);
	if (file != INVALID_HANDLE_VALUE)
		CloseHandle(file);
	free(name);
	return real;
}

char *anim_sys_link_target(const char *path)
{
	(void)path;
	errno = EINVAL;
	return NULL;
}

/* A mutex with the number of the file: a lock of the file itself would keep it from being replaced. */
int anim_sys_lock(const char *path, bool *is_taken)
{
	struct anim_stat info;
	wchar_t name[64];
	HANDLE mutex;

	*is_taken = false;
	if (anim_sys_stat(path, &info) != 0)
		return -1;
	swprintf(name, 64, L"anim.%llx.%llx", (unsigned long long)info.volume, (unsigned long long)info.number);
	mutex = CreateMutexW(NULL, FALSE, name);
	*is_taken = mutex != NULL && GetLastError() == ERROR_ALREADY_EXISTS;
	return mutex == NULL ? -1 : (int)(intptr_t)mutex; /* handles have 32 bits */
}

void anim_sys_unlock(int lock)
{
	CloseHandle((HANDLE)(intptr_t)lock);
}

/* ---- Folders ---- */

struct anim_folder {
	HANDLE search;
	bool has_next;
	WIN32_FIND_DATAW next;
	char *name;   /* of the last entry, owned */
	char path[1]; /* with a slash at its end */
};

static bool search(struct anim_folder *folder, const char *path)
{
	wchar_t *pattern = wide(path);

	folder->search = pattern == NULL ? INVALID_HANDLE_VALUE : FindFirstFileW(pattern, &folder->next);
	free(pattern);
	folder->has_next = folder->search != INVALID_HANDLE_VALUE;
	return folder->has_next;
}

struct anim_folder *anim_folder_open(const char *path, bool may_be_link)
{
	size_t length = strlen(path);
	struct anim_folder *folder = calloc(1, sizeof *folder + length + 2);
	struct anim_stat info;

	if (folder == NULL || state_of_path(path, !may_be_link, &info) != 0 || info.kind != ANIM_FOLDER) {
		errno = folder == NULL ? ENOMEM : info.kind != ANIM_FOLDER ? ENOTDIR : errno;
		free(folder);
		return NULL;
	}
	snprintf(folder->path, length + 3, "%s/%c", path, '*');
	search(folder, folder->path);
	folder->path[length + 1] = '\0';
	return folder;
}

struct anim_folder *anim_sys_search(const char *pattern)
{
	struct anim_folder *folder = calloc(1, sizeof *folder);

	if (folder != NULL && !search(folder, pattern)) {
		free(folder);
		folder = NULL;
	}
	return folder;
}

const char *anim_folder_next(struct anim_folder *folder)
{
	free(folder->name);
	folder->name = folder->has_next ? narrow(folder->next.cFileName) : NULL;
	folder->has_next = folder->has_next && FindNextFileW(folder->search, &folder->next);
	errno = 0;
	return folder->name;
}

static char *joined(const struct anim_folder *folder, const char *name)
{
	size_t size = strlen(folder->path) + strlen(name) + 1;
	char *path = malloc(size);

	if (path != NULL)
		snprintf(path, size, "%s%s", folder->path, name);
	return path;
}

int anim_folder_open_file(struct anim_folder *folder, const char *name)
{
	char *path = joined(folder, name);
	int fd = path == NULL ? -1 : anim_sys_open(path, ANIM_OPEN_PLAIN);

	free(path);
	return fd;
}

int anim_folder_lstat(struct anim_folder *folder, const char *name, struct anim_stat *out)
{
	char *path = joined(folder, name);
	int result = path == NULL ? -1 : anim_sys_lstat(path, out);

	free(path);
	return result;
}

void anim_folder_close(struct anim_folder *folder)
{
	if (folder == NULL)
		return;
	FindClose(folder->search);
	free(folder->name);
	free(folder);
}

/* ---- Arguments ---- */

static void no_memory(void)
{
	static const char text[] = "out of memory\n";

	(void)!write(2, text, sizeof text - 1);
	_exit(1);
}

/* Use slashes in a path: it begins with a drive or a server, or its folder exists. A path may follow the '=' of an option. */
static void normalize(char *argument)
{
	char *equals = argument[0] == '-' && argument[1] == '-' ? strchr(argument, '=') : NULL;
	char *path = equals == NULL ? argument : equals + 1, *last = strrchr(path, '\\');
	bool is_path = begins_with_drive(path) || (path[0] == '\\' && path[1] == '\\');

	if (last != NULL && !is_path) {
		*last = '\0';
		is_path = last == path || anim_is_folder(path);
		*last = '\\';
	}
	if (is_path)
		use_slashes(path);
}

extern int __wgetmainargs(int *argc, wchar_t ***argv, wchar_t ***environment, int expands, int *new_mode);

static void read_arguments(int *argc, char ***argv)
{
	wchar_t **words, **environment;
	int new_mode = 0;
	size_t length;

	if (__wgetmainargs(argc, &words, &environment, 0, &new_mode) != 0)
		no_memory();
	*argv = calloc((size_t)*argc + 1, sizeof **argv);
	for (int i = 0; *argv != NULL && i < *argc; i++) {
		(*argv)[i] = narrow(words[i]);
		if ((*argv)[i] == NULL)
			no_memory();
		if (i == 0)
			use_slashes((*argv)[i]);
		else
			normalize((*argv)[i]);
	}
	if (*argv == NULL)
		no_memory();
	length = *argc == 0 ? 0 : strlen((*argv)[0]);
	if (length > 4 && _stricmp((*argv)[0] + length - 4, ".exe") == 0)
		(*argv)[0][length - 4] = '\0';
}

/* ---- The process ---- */

static void (*at_end_of_program)(void);
static CRITICAL_SECTION signals;
static UINT code_page;

static BOOL WINAPI on_console_event(DWORD event)
{
	(void)event;
	EnterCriticalSection(&signals); /* for ever: the program ends */
	at_end_of_program();
	return FALSE;
}

static LONG WINAPI on_crash(EXCEPTION_POINTERS *exception)
{
	(void)exception;
	at_end_of_program();
	return EXCEPTION_CONTINUE_SEARCH;
}

static void restore_console(void)
{
	SetConsoleOutputCP(code_page);
}

static void keep_window(void)
{
	fputs("\nPress Enter to close this window.", stderr);
	(void)getchar();
}

static void prepare_console(void)
{
	DWORD mode, process;

	for (int fd = 1; fd <= 2; fd++)
		if (GetConsoleMode(handle_of(fd), &mode))
			SetConsoleMode(handle_of(fd), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
	code_page = GetConsoleOutputCP();
	if (!anim_sys_is_terminal(1) && !anim_sys_is_terminal(2))
		return;
	SetConsoleOutputCP(CP_UTF8);
	atexit(restore_console);
	/* The window belongs to this program, as if it was started by a double click or by files that were dropped on it. */
	if (GetConsoleProcessList(&process, 1) == 1 && anim_sys_is_terminal(0) && anim_sys_is_terminal(1))
		atexit(keep_window);
}

void anim_sys_start(int *argc, char ***argv, void (*at_end)(void))
{
	for (int fd = 0; fd <= 2; fd++)
		if (_get_osfhandle(fd) < 0 && _open("nul", fd == 0 ? _O_WRONLY : _O_RDONLY) != fd)
			_exit(1);
		else
			_setmode(fd, _O_BINARY);
	at_end_of_program = at_end;
	InitializeCriticalSection(&signals);
	SetConsoleCtrlHandler(on_console_event, TRUE);
	SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
	SetUnhandledExceptionFilter(on_crash);
	prepare_console();
	read_arguments(argc, argv);
}

void anim_sys_hold_signals(struct anim_signals *before)
{
	(void)before;
	EnterCriticalSection(&signals);
}

void anim_sys_release_signals(const struct anim_signals *before)
{
	(void)before;
	LeaveCriticalSection(&signals);
}

void anim_sys_end_closed(void)
{
	at_end_of_program();
	_exit(1);
}

int anim_sys_random(void *bytes, size_t size)
{
	return RtlGenRandom(bytes, (ULONG)size) ? 0 : -1;
}

unsigned anim_sys_processors(void)
{
	return GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

/* Append a word in quotes, as the C library of the started program reads it back. */
static wchar_t *quote(wchar_t *out, const wchar_t *word)
{
	*out++ = L'"';
	for (; *word != L'\0'; word++) {
		size_t slashes = wcsspn(word, L"\\");

		for (size_t i = 0; i < slashes; i++)
			*out++ = L'\\';
		word += slashes;
		for (size_t i = 0; (*word == L'"' || *word == L'\0') && i < slashes; i++)
			*out++ = L'\\';
		if (*word == L'\0')
			break;
		if (*word == L'"')
			*out++ = L'\\';
		*out++ = *word;
	}
	*out++ = L'"';
	*out++ = L' ';
	return out;
}

/* Start a program (NULL: the first argument) and wait. Returns its exit status, or -1. */
static int run_program(const wchar_t *program, char *const *arguments)
{
	STARTUPINFOW start = {.cb = sizeof start,
			      .dwFlags = STARTF_USESTDHANDLES,
			      .hStdInput = handle_of(0),
			      .hStdOutput = handle_of(1),
			      .hStdError = handle_of(2)};
	PROCESS_INFORMATION process;
	DWORD status = 1;
	wchar_t *line = calloc(32768, sizeof *line), *at = line; /* the longest command line */

	for (size_t i = 0; line != NULL && arguments[i] != NULL; i++) {
		wchar_t *word = widened(arguments[i], 0);

		if (word != NULL && 2 * wcslen(word) + 4 < (size_t)(line + 32768 - at))
			at = quote(at, word);
		free(word);
	}
	if (line == NULL || !CreateProcessW(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process)) {
		free(line);
		return fail();
	}
	free(line);
	WaitForSingleObject(process.hProcess, INFINITE);
	GetExitCodeProcess(process.hProcess, &status);
	CloseHandle(process.hThread);
	CloseHandle(process.hProcess);
	return (int)status;
}

void anim_sys_become(const char *program, char *const *arguments)
{
	wchar_t *name = strchr(program, '/') == NULL ? NULL : wide(program);
	int status = run_program(name, arguments);

	free(name);
	if (status >= 0)
		exit(status);
}

/* ---- The terminal ---- */

bool anim_sys_is_terminal(int fd)
{
	DWORD mode;

	return GetConsoleMode(handle_of(fd), &mode);
}

bool anim_sys_terminal_size(unsigned *columns, unsigned *rows)
{
	CONSOLE_SCREEN_BUFFER_INFO info;

	if (!GetConsoleScreenBufferInfo(handle_of(1), &info))
		return false;
	*columns = (unsigned)(info.srWindow.Right - info.srWindow.Left + 1);
	*rows = (unsigned)(info.srWindow.Bottom - info.srWindow.Top + 1);
	return true;
}

/* ---- Datagrams ---- */

#define RECEIVE_BUFFER (4 << 20) /* as on POSIX */

/* Returns a result, and sets errno if it is an error. */
static int checked(int result)
{
	int code = result < 0 ? WSAGetLastError() : 0;

	if (result < 0)
		errno = code == WSAEWOULDBLOCK                             ? EAGAIN
			: code == WSAEADDRINUSE                            ? EADDRINUSE
			: code == WSAEADDRNOTAVAIL                         ? EADDRNOTAVAIL
			: code == WSAECONNRESET || code == WSAECONNREFUSED ? ECONNREFUSED
			: code == WSAEACCES                                ? EACCES
			: code == WSAEMSGSIZE                              ? EMSGSIZE
									   : ENETUNREACH;
	return result;
}

bool anim_udp_address(const char *text, struct anim_address *out)
{
	return inet_pton(AF_INET, text, out->ip) == 1;
}

/* From now on, sleep at most a millisecond too long: datagrams are sent at their times. winmm.dll takes long to load. */
int anim_udp_open(const struct anim_address *address, bool receives)
{
	struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(address->port)};
	HMODULE library = LoadLibraryW(L"winmm.dll");
	FARPROC set_period = library == NULL ? NULL : GetProcAddress(library, "timeBeginPeriod");
	int fd, size = RECEIVE_BUFFER;
	u_long is_on = 1;
	WSADATA data;

	if (set_period != NULL)
		((UINT(WINAPI *)(UINT))set_period)(1);
	memcpy(&name.sin_addr, address->ip, sizeof address->ip);
	fd = WSAStartup(MAKEWORD(2, 2), &data) != 0 ? -1 : (int)socket(AF_INET, SOCK_DGRAM, 0);
	if (fd >= 0 && receives)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, (const char *)&size, sizeof size);
	if (fd < 0 || (receives ? bind : connect)(fd, (struct sockaddr *)&name, sizeof name) != 0)
		return checked(-1);
	ioctlsocket(fd, FIONBIO, &is_on);
	return fd;
}

ssize_t anim_udp_receive(int fd, struct anim_address *sender, void *to, size_t capacity, unsigned wait_ms)
{
	WSAPOLLFD ready = {.fd = (SOCKET)fd, .events = POLLIN};
	struct sockaddr_in name = {.sin_port = 0};
	int size = sizeof name, got;

	WSAPoll(&ready, 1, (int)wait_ms); /* without a datagram, the next call fails with EAGAIN */
	got = checked(recvfrom(fd, to, (int)capacity, 0, (struct sockaddr *)&name, &size));
	memcpy(sender->ip, &name.sin_addr, sizeof sender->ip);
	sender->port = ntohs(name.sin_port);
	return got;
}

/* Windows reports to a receiver, and not to a sender, that no program listens. */
int anim_udp_send(int fd, const void *bytes, size_t size)
{
	char answer;

	if (checked(send(fd, bytes, (int)size, 0)) < 0)
		return -1;
	return recv(fd, &answer, 1, 0) < 0 && WSAGetLastError() != WSAEWOULDBLOCK ? checked(-1) : 0;
}

unsigned anim_udp_lost(int fd)
{
	(void)fd;
	return 0;
}

void anim_udp_close(int fd)
{
	closesocket(fd);
}
