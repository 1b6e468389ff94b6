import { mkdir, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RecordingSink } from '@outdial/calls';
import { PRIVATE_FOLDER_MODE } from './private-folder.ts';
import { CHANNELS, CHUNK_SAMPLES, type Chunk, type SpareChunks } from './spare-chunks.ts';
import { WAV_HEADER_BYTES, wavHeader } from './wav-header.ts';

/** The part of Node's FileHandle that a recording uses. */
export interface RecordingFile {
  write(bytes: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesWritten: number }>;
  close(): Promise<void>;
}

/** A disk that lags more than two minutes behind is treated as broken, before the backlog fills the memory. */
const LONGEST_BACKLOG_BYTES = 60 * CHUNK_SAMPLES * Int16Array.BYTES_PER_ELEMENT;

export interface FileRecordingOptions {
  /** Of all recordings of a thread. */
  readonly spare: SpareChunks;
  readonly key: string;
  readonly path: string;
  /** 0 to 1: how far the first chunk is filled before it is written, so that calls do not write at the same moment. */
  readonly stagger: number;
  readonly onError: (error: unknown) => void;
  /** Opens the new file for writing; it must not exist yet. */
  readonly openFile?: (path: string) => Promise<RecordingFile>;
}

/**
 * One call's WAV. Samples are buffered and written in chunks; the header is updated after every chunk, so that a crash at
 * any moment leaves a playable file that is at most two seconds short.
 */
export class FileRecording implements RecordingSink {
  readonly key: string;
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  readonly #spare: SpareChunks;
  readonly #file: Promise<RecordingFile | undefined>;
  /** Allocated with the first sample: most calls that ring are never recorded. */
  #chunk: Chunk | undefined;
  #filledSamples = 0;
  /** Size at which the current chunk is written; the first one is smaller. */
  #chunkSamples: number;
  #backlogBytes = 0;
  #writtenBytes = 0;
  #failed = false;
  #closed: Promise<boolean> | undefined;
  /** All operations on the file, in sequence. Never rejects. */
  #operations: Promise<void>;

  constructor(options: FileRecordingOptions) {
    this.key = options.key;
    this.#path = options.path;
    this.#onError = options.onError;
    this.#spare = options.spare;
    const firstPairs = Math.ceil((options.stagger * CHUNK_SAMPLES) / CHANNELS);
    this.#chunkSamples = Math.max(1, firstPairs) * CHANNELS;
    this.#file = this.#open(options.openFile ?? createFile);
    this.#operations = this.#writeHeader();
  }

  write(samples: Int16Array): void {
    if (this.#failed || this.#closed) return;
    for (let from = 0; from < samples.length;) {
      const chunk = (this.#chunk ??= this.#spare.take());
      const taken = Math.min(samples.length - from, this.#chunkSamples - this.#filledSamples);
      // The usual frame fits whole and needs no subarray.
      chunk.set(taken === samples.length ? samples : samples.subarray(from, from + taken), this.#filledSamples);
      from += taken;
      this.#filledSamples += taken;
      if (this.#filledSamples === this.#chunkSamples) this.#flush(chunk);
    }
  }

  close(): Promise<boolean> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #open(openFile: (path: string) => Promise<RecordingFile>): Promise<RecordingFile | undefined> {
    try {
      return await openFile(this.#path);
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  async #writeHeader(): Promise<void> {
    const file = await this.#file;
    try {
      if (file) await writeAll(file, wavHeader(0), 0);
    } catch (error) {
      this.#fail(error);
    }
  }

  #flush(chunk: Chunk): void {
    const full = Buffer.from(chunk.buffer, 0, this.#filledSamples * chunk.BYTES_PER_ELEMENT);
    this.#chunk = undefined;
    this.#chunkSamples = CHUNK_SAMPLES;
    this.#filledSamples = 0;
    this.#backlogBytes += full.length;
    if (this.#backlogBytes > LONGEST_BACKLOG_BYTES) this.#fail(new Error('the disk is too slow for the recording'));
    this.#operations = this.#operations.then(() => this.#append(full)).then(() => this.#spare.add(chunk));
  }

  async #append(chunk: Buffer): Promise<void> {
    const file = await this.#file;
    this.#backlogBytes -= chunk.length;
    if (!file || this.#failed) return;
    try {
      await writeAll(file, chunk, WAV_HEADER_BYTES + this.#writtenBytes);
      this.#writtenBytes += chunk.length;
      await writeAll(file, wavHeader(this.#writtenBytes), 0);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #close(): Promise<boolean> {
    if (this.#chunk) this.#flush(this.#chunk);
    await this.#operations;
    const file = await this.#file;
    if (!file) return false;
    try {
      await file.close();
      if (!this.#failed && this.#writtenBytes > 0) return true;
      // A recording with a gap would be mistaken for the whole conversation, and an empty one for silence.
      await unlink(this.#path);
    } catch (error) {
      this.#fail(error);
    }
    return false;
  }

  #fail(error: unknown): void {
    if (!this.#failed) this.#onError(error);
    this.#failed = true;
  }
}

/** Creates the file and its parent folders, readable by the product's user only. */
export async function createFile(path: string): Promise<RecordingFile> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE });
  return open(path, 'wx', 0o600);
}

/** The system may write fewer bytes than requested. */
async function writeAll(file: RecordingFile, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
