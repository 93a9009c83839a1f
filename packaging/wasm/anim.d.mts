// Types of anim.mjs. Times are in seconds.

import type { ConversionOptions } from './options.d.mts';

export type { ConversionOptions };

/** Bytes by name. A name may have folders, separated by '/'. */
export type Files = Record<string, Uint8Array>;

/** An error with the message that the programs print. */
export class AnimError extends Error {
	/** 'call' is invalid use of a function. 'crash' ends a program whose memory or stack is too small. */
	readonly code: 'input' | 'system' | 'memory' | 'too-large' | 'unsupported' | 'closed' | 'strict' | 'call' | 'crash';
	/** Position in the file, from 1. 0: unknown. */
	readonly line: number;
	readonly column: number;
	/** Of convert(): the texts of all messages. */
	readonly messages: string[];
}

export interface RunOptions {
	files?: Files;
	/** Names of empty folders, for example for outputs. */
	folders?: string[];
	stdin?: Uint8Array;
	/** Environment variables, for example {COLUMNS: '100'}. */
	environment?: Record<string, string>;
	/** Called for each read. `size` is the size of the file. */
	onread?: (name: string, position: number, size: number) => void;
}

export interface RunResult {
	/** 0: success, 1: failure, 2: wrong command line, 134: the program crashed. */
	status: number;
	stdout: Uint8Array;
	stderr: string;
	/** The files that the program wrote or changed. */
	files: Files;
}

export interface OpenOptions {
	/** The name of the file, for messages and to recognise its format. Needed if several files are given. */
	name?: string;
	/** As for anim-parse -f: 'godot', 'unity', ... */
	format?: string;
	/** false: do not open other files that it refers to. */
	external?: boolean;
	/** Leave out faulty clips with a warning instead of failing. */
	keepGoing?: boolean;
	/** Length unit of a BVH file: 'cm', 'm', 'in', 'cmu' or metres. */
	unit?: string | number;
	/** Upward axis of a BVH file. Default: 'y'. */
	up?: 'y' | 'z';
	/** Maximum bytes of tracks that stay uncompressed in memory. */
	memory?: number;
}

export interface ConvertOptions {
	/** The name of the output. Its ending chooses the format, for example 'walk.glb'. */
	to: string;
	/** The name of the input. Needed if several files are given. */
	name?: string;
	/** For example {rate: 30, inPlace: true, node: ['Hips', 'Spine']}. */
	options?: ConversionOptions;
	/** Called with the text of each warning and note. */
	onmessage?: (text: string, info: MessageInfo) => void;
}

/** A message of convert(). Empty texts and 0: unknown. */
export interface MessageInfo {
	readonly level: 'note' | 'warning';
	readonly file: string;
	readonly clip: string;
	/** The first track, node or other thing with the problem, and the number of such things. */
	readonly subject: string;
	readonly count: number;
	readonly line: number;
	readonly column: number;
	/** The largest error, in `unit`. */
	readonly worst: number;
	readonly unit: string;
}

/** The programs, compiled. It can be used many times. Each call has memory of its own. */
export class Anim {
	constructor(module: WebAssembly.Module);
	readonly module: WebAssembly.Module;
	/** Run a program, for example run(['anim', 'info', 'walk.glb'], {files}). */
	run(argv: string[], options?: RunOptions): Promise<RunResult>;
	/** Open bytes, or one of several files, which may refer to the others. Throws AnimError. */
	open(source: Uint8Array | Files, options?: OpenOptions): Promise<AnimFile>;
	/** Convert bytes, or one of several files. Returns the written files. Throws AnimError. */
	convert(source: Uint8Array | Files, options: ConvertOptions): Promise<Files>;
}

/** Load the programs from bytes of anim.wasm. Default: the file beside the module. */
export function load(bytes?: BufferSource): Promise<Anim>;

/** Compile the bytes of anim.wasm. */
export function compile(bytes: BufferSource): Promise<Anim>;

export interface Message {
	readonly text: string;
	readonly isWarning: boolean;
}

export interface AnimFile {
	readonly clips: Clip[];
	readonly trees: Tree[];
	/** Messages of reading. */
	readonly messages: Message[];
	/** Return the clip of this name or number. Throws AnimError if there is none. */
	clip(name: string | number): Clip;
	/** Free the memory. Arrays that were returned stay valid. */
	close(): void;
}

export type Attributes = Record<string, string>;

export interface Clip {
	readonly name: string;
	readonly start: number;
	readonly end: number;
	readonly duration: number;
	readonly loop: 'none' | 'wrap' | 'ping-pong';
	readonly axes: 'godot' | 'unity' | 'resonite' | 'gltf' | 'unknown';
	readonly axes2d: 'godot' | 'unity' | 'unknown';
	/** The engine of the source: 'godot4', 'unity', ... Empty: unknown. */
	readonly source: string;
	/** The node in the tree to which the nodes of tracks are relative. */
	readonly root: string;
	/** Frames per second, or null. */
	readonly rate: number | null;
	readonly attributes: Attributes;
	/** The number of tracks. */
	readonly count: number;
	readonly tracks: Track[];
	readonly tree: Tree | null;
	/** Return a track or null. Without a component, a track of all components comes first. */
	find(node: string, property: string, component?: number | null): Track | null;
	/** Return the times at which anim-resample samples the clip. Default: its own rate. */
	times(rate?: number | string | null, end?: 'cover' | 'grid' | 'fit' | 'loop'): Float64Array;
	/**
	 * Return transforms in the space of the tree: 12 numbers for each time and each node (or one node), three rows of the basis,
	 * each followed by its component of the origin.
	 */
	world(times: ArrayLike<number>, node?: number | string | null): Float64Array;
}

export interface Track {
	readonly node: string;
	readonly property: string;
	/** 'Raw' has samples at a rate, 'Discrete' has steps, 'Curve' has keys with modes. */
	readonly kind: 'Raw' | 'Discrete' | 'Curve';
	/** 'float3', 'floatQ' (x y z w), 'bool', 'string', ...: all are in anim-stream(5). */
	readonly type: string;
	/** The mode of all keys, or null if each key has its own. */
	readonly mode: string | null;
	/** The player whose rules apply. */
	readonly rules: string;
	/** Before the first and after the last key: 'hold', 'loop', 'ping-pong', 'none'. */
	readonly pre: string;
	readonly post: string;
	/** The component of the property, or null for all components. */
	readonly component: number | null;
	/** Numbers per value. */
	readonly components: number;
	/** As in anim(3). */
	readonly flags: number;
	readonly isRotation: boolean;
	readonly isText: boolean;
	/** The number of keys or samples. */
	readonly count: number;
	readonly rate: number | null;
	readonly attributes: Attributes;
	/** The mode from each key to the next. */
	readonly modes: string[];
	/** Return the values that the player shows: `components` numbers for each time, or one text for each time. */
	sample(times: ArrayLike<number>): Float64Array | (string | null)[];
	/** Return one part of all keys, or null if the track does not have it. Values may be texts. */
	keys(part?: 'times' | 'values' | 'left' | 'right' | 'leftX' | 'rightX' | 'ease'): Float64Array | (string | null)[] | null;
}

export interface Tree {
	readonly rootName: string;
	/** The name of the source file. */
	readonly source: string;
	readonly axes: string;
	readonly axes2d: string;
	readonly attributes: Attributes;
	/** The number of nodes. */
	readonly count: number;
	/** All nodes, parents before their children. */
	readonly nodes: Node[];
	node(number: number): Node;
	/** Return the node with this path. Throws AnimError if there is none. */
	find(path: string): Node;
}

export interface Node {
	readonly number: number;
	/** Names from the root on, separated by '/', with ':' before a bone. '.' is the root. */
	readonly path: string;
	readonly name: string;
	readonly kind: 'node' | 'bone' | 'camera' | 'light' | 'mesh';
	/** The type in the engine. */
	readonly type: string;
	readonly parent: number | null;
	/** Parts of the rest pose in the file: 1 position, 2 rotation, 4 scale, 8 two-dimensional. */
	readonly has: number;
	readonly position: number[];
	/** x y z w */
	readonly rotation: number[];
	readonly scale: number[];
	readonly attributes: Attributes;
}
