// paths.mjs: paths of Windows for programs that know paths of POSIX. C:\clips\walk.tscn is C:/clips/walk.tscn there, which the
// system also accepts. A path of the programs may have a folder before the drive, because they join paths: it is ignored.

import fs from 'node:fs';

const isWindows = process.platform === 'win32';
const DRIVE = /(?:^|.*\/)([A-Za-z]:)(?=\/|$)/s;

/** Return the path that Windows understands. */
export function windowsFromPosix(path) {
	return path === '/dev/null' ? '\\\\.\\nul' : path.replace(DRIVE, '$1');
}

/** Return a path of Windows with slashes. A path with a drive gets a slash before it, so that the programs see it as absolute. */
export function posixFromWindows(path) {
	const plain = path.replace(/^\\\\\?\\(?=[A-Za-z]:)/, '').replaceAll('\\', '/');

	return /^[A-Za-z]:\//.test(plain) ? '/' + plain : plain;
}

/**
 * Return an argument with slashes if it is a path of Windows: it begins with a drive or a server, or its folder exists. Other
 * arguments, such as patterns with a backslash, are unchanged. A path after '=' in an option is also found.
 */
export function argumentFromWindows(argument, exists = fs.existsSync) {
	const option = /^(--[a-z-]+=)(.*)$/s.exec(argument), path = option ? option[2] : argument;
	const end = path.lastIndexOf('\\');

	if (end < 0)
		return argument;
	const isPath = /^(?:[A-Za-z]:\\|\\\\)/.test(path) || exists(path.slice(0, end) || '\\');
	return (option ? option[1] : '') + (isPath ? path.replaceAll('\\', '/') : path);
}

export const toHost = isWindows ? windowsFromPosix : path => path;
export const fromHost = isWindows ? posixFromWindows : path => path;
export const argumentFromHost = isWindows ? argument => argumentFromWindows(argument) : argument => argument;
