import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordingStore, StoredRecording } from '@outdial/calls';
import { invariant } from '@outdial/kernel';
import { FileRecording, type RecordingFile } from './file-recording.ts';
import { isMissing, repairWav } from './repair-wav.ts';
import { recordingKeyOf, relativePathOf, staggerOf } from './recording-key.ts';
import { SpareChunks } from './spare-chunks.ts';

export interface FileRecordingsOptions {
  /** Created with the first recording. */
  readonly directory: string;
  /** Called with the error of a recording that fails; its call goes on without it. */
  readonly onError: (error: unknown, key: string) => void;
  /** Opens the file of a new recording; it must not exist yet. */
  readonly openFile?: (path: string) => Promise<RecordingFile>;
}

/** Recordings as WAV files in a folder of this machine, or in one that all machines share. */
export function createFileRecordings({ directory, onError, openFile }: FileRecordingsOptions): RecordingStore {
  const spare = new SpareChunks();
  const pathOf = (key: string): string | undefined => {
    const relative = relativePathOf(key);
    return relative === undefined ? undefined : join(directory, relative);
  };

  return {
    keyOf: recordingKeyOf,

    create(callId) {
      const key = recordingKeyOf(callId);
      const path = pathOf(key);
      invariant(path, 'a call id is a UUID');
      const report = (error: unknown) => onError(error, key);
      const stagger = staggerOf(callId);
      return new FileRecording({ key, path, stagger, spare, onError: report, ...(openFile ? { openFile } : {}) });
    },

    async open(key) {
      const path = pathOf(key);
      return path === undefined ? null : openStored(path);
    },

    async repair(key) {
      const path = pathOf(key);
      return path === undefined ? false : repairWav(path);
    },
  };
}

async function openStored(path: string): Promise<StoredRecording | null> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return null;
    return { sizeBytes: stats.size, read: ({ start, end }) => createReadStream(path, { start, end }) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
