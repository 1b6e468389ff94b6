// oxlint-disable-next-line typescript/triple-slash-reference -- a declaration of globals has nothing to import
/// <reference path="./webassembly.d.ts" />
/** Thrown when the program exits; 0 is success. */
export class WasiExit extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`the program ended with code ${exitCode}`);
    this.name = 'WasiExit';
    this.exitCode = exitCode;
  }
}

/** https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md, the values of `errno` and `filetype`. */
const SUCCESS = 0;
const BAD_FILE_DESCRIPTOR = 8;
const FILE_TOO_LARGE = 22;
const SEEK_ON_PIPE = 70;
const CHARACTER_DEVICE = 2;
const DIRECTORY = 3;
const REGULAR_FILE = 4;

const FOLDER_DESCRIPTOR = 3;
const FILE_DESCRIPTOR = 4;
const FOLDER = '/out';
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn;

export const OUTPUT_PATH = `${FOLDER}/speech.wav`;

/**
 * The thirteen system calls that flite makes, with one file in memory: every path opens that file.
 *
 * `node:wasi` crashed in a worker thread, and would write speech to disk only to read it back.
 */
export function createWasi(input: { readonly args: readonly string[]; readonly maxFileBytes: number }) {
  const args = input.args.map((argument) => Buffer.from(`${argument}\0`));
  const file = createMemoryFile(input.maxFileBytes);
  let memory: WebAssembly.Memory | undefined;
  const bytes = () => new Uint8Array(memoryOf(memory).buffer);
  const view = () => new DataView(memoryOf(memory).buffer);

  const imports = {
    args_sizes_get: (countAt: number, sizeAt: number) => {
      view().setUint32(countAt, args.length, true);
      view().setUint32(
        sizeAt,
        args.reduce((sum, argument) => sum + argument.length, 0),
        true,
      );
      return SUCCESS;
    },
    args_get: (pointersAt: number, textAt: number) => {
      let at = textAt;
      for (const [index, argument] of args.entries()) {
        view().setUint32(pointersAt + 4 * index, at, true);
        bytes().set(argument, at);
        at += argument.length;
      }
      return SUCCESS;
    },
    clock_time_get: (_clock: number, _precision: bigint, timeAt: number) => {
      view().setBigUint64(timeAt, process.hrtime.bigint(), true);
      return SUCCESS;
    },
    fd_close: () => SUCCESS,
    fd_fdstat_get: (descriptor: number, at: number) => {
      view().setUint8(at, fileTypeOf(descriptor));
      view().setUint16(at + 2, 0, true);
      view().setBigUint64(at + 8, ALL_RIGHTS, true);
      view().setBigUint64(at + 16, ALL_RIGHTS, true);
      return SUCCESS;
    },
    fd_fdstat_set_flags: () => SUCCESS,
    fd_prestat_get: (descriptor: number, at: number) => {
      if (descriptor !== FOLDER_DESCRIPTOR) return BAD_FILE_DESCRIPTOR;
      view().setUint8(at, 0);
      view().setUint32(at + 4, FOLDER.length, true);
      return SUCCESS;
    },
    fd_prestat_dir_name: (_descriptor: number, at: number, length: number) => {
      bytes().set(Buffer.from(FOLDER).subarray(0, length), at);
      return SUCCESS;
    },
    fd_read: (_descriptor: number, _vectors: number, _count: number, readAt: number) => {
      view().setUint32(readAt, 0, true);
      return SUCCESS;
    },
    fd_seek: (descriptor: number, offset: bigint, whence: number, positionAt: number) => {
      if (descriptor !== FILE_DESCRIPTOR) return SEEK_ON_PIPE;
      view().setBigUint64(positionAt, BigInt(file.seek(Number(offset), whence)), true);
      return SUCCESS;
    },
    fd_write: (descriptor: number, vectorsAt: number, count: number, writtenAt: number) => {
      let written = 0;
      for (let index = 0; index < count; index += 1) {
        const start = view().getUint32(vectorsAt + 8 * index, true);
        const length = view().getUint32(vectorsAt + 8 * index + 4, true);
        // Standard output is discarded.
        if (descriptor === FILE_DESCRIPTOR && !file.write(bytes().subarray(start, start + length)))
          return FILE_TOO_LARGE;
        written += length;
      }
      view().setUint32(writtenAt, written, true);
      return SUCCESS;
    },
    path_open: (...call: readonly (number | bigint)[]) => {
      view().setUint32(Number(call.at(-1)), FILE_DESCRIPTOR, true);
      return SUCCESS;
    },
    proc_exit: (exitCode: number) => {
      throw new WasiExit(exitCode);
    },
  };

  return {
    imports: { wasi_snapshot_preview1: imports },
    /** Call it before the program starts: the system calls use its memory. */
    attach(programMemory: WebAssembly.Memory): void {
      memory = programMemory;
    },
    file: (): Buffer => file.content(),
  };
}

function memoryOf(memory: WebAssembly.Memory | undefined): WebAssembly.Memory {
  if (memory === undefined) throw new Error('the program made a system call before its memory was attached');
  return memory;
}

function fileTypeOf(descriptor: number): number {
  if (descriptor < FOLDER_DESCRIPTOR) return CHARACTER_DEVICE;
  return descriptor === FOLDER_DESCRIPTOR ? DIRECTORY : REGULAR_FILE;
}

const SEEK_SET = 0;
const SEEK_CURRENT = 1;

/** A growing file with one position. A write past `maxBytes` is rejected whole. */
function createMemoryFile(maxBytes: number) {
  let content = Buffer.alloc(64 * 1_024);
  let length = 0;
  let position = 0;
  return {
    seek(offset: number, whence: number): number {
      const base = whence === SEEK_SET ? 0 : whence === SEEK_CURRENT ? position : length;
      position = Math.max(0, base + offset);
      return position;
    },
    write(chunk: Uint8Array): boolean {
      const end = position + chunk.length;
      if (end > maxBytes) return false;
      while (end > content.length) content = Buffer.concat([content, Buffer.alloc(content.length)]);
      content.set(chunk, position);
      position = end;
      length = Math.max(length, end);
      return true;
    },
    content: () => content.subarray(0, length),
  };
}
