import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordingStore } from '@outdial/calls';
import { callIdSchema, type CallId } from '@outdial/contracts';
import { createFileRecordings, type FileRecordingsOptions } from '../src/file-recordings.ts';

export const STEREO_FRAME_SAMPLES = 320;

export const newCallId = (): CallId => callIdSchema.parse(randomUUID());

/** Frames whose samples count up, so that a lost or duplicated one shows. */
export function countingFrames(frames: number): Int16Array[] {
  return Array.from({ length: frames }, (_, frame) =>
    Int16Array.from({ length: STEREO_FRAME_SAMPLES }, (_, at) => (frame * STEREO_FRAME_SAMPLES + at) % 32_768),
  );
}

/** A store in a private folder. */
export class TestStore {
  readonly directory: string;
  readonly errors: unknown[] = [];

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async create(): Promise<TestStore> {
    return new TestStore(await mkdtemp(join(tmpdir(), 'recordings-')));
  }

  open(openFile?: FileRecordingsOptions['openFile']): RecordingStore {
    const onError = (error: unknown) => void this.errors.push(error);
    return createFileRecordings({ directory: this.directory, onError, ...(openFile ? { openFile } : {}) });
  }

  pathOf(key: string): string {
    return join(this.directory, key);
  }

  /** A finished recording of this many frames. */
  async record(frames: number): Promise<{ store: RecordingStore; key: string; path: string }> {
    const store = this.open();
    const sink = store.create(newCallId());
    for (const frame of countingFrames(frames)) sink.write(frame);
    await sink.close();
    return { store, key: sink.key, path: this.pathOf(sink.key) };
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true });
  }
}
