import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordingInventory } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { inBatches, MAX_BATCH } from './in-batches.ts';
import { isMissing } from './repair-wav.ts';
import { callIdOfKey, recordingKeyOf } from './recording-key.ts';

/** The recordings in a folder. Other files in it are ignored. */
export function createFileInventory(directory: string): RecordingInventory {
  return {
    list: () => inBatches(callsIn(directory), MAX_BATCH),

    async remove(callIds) {
      for (const callId of callIds) await rm(join(directory, recordingKeyOf(callId)), { force: true });
    },
  };
}

/** Reads one of the 256 folders into memory at a time. */
async function* callsIn(directory: string): AsyncGenerator<CallId> {
  for (const shard of await namesIn(directory)) {
    for (const name of await namesIn(join(directory, shard))) {
      const callId = callIdOfKey(`${shard}/${name}`);
      if (callId !== undefined) yield callId;
    }
  }
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
