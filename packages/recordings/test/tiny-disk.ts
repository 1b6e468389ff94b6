import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFile, type RecordingFile } from '../src/file-recording.ts';
import type { FileRecordingsOptions } from '../src/file-recordings.ts';

const run = promisify(execFile);

/** A folder that fills up soon. */
export interface TinyDisk {
  readonly directory: string;
  /** Whether the file system itself is limited; otherwise files that this module opens are. */
  readonly isReal: boolean;
  readonly openFile?: FileRecordingsOptions['openFile'];
  close(): Promise<void>;
}

/** A file system of this size if the process may mount one, which needs root; otherwise files that behave like it. */
export async function tinyDisk(capacityBytes: number): Promise<TinyDisk> {
  const directory = await mkdtemp(join(tmpdir(), 'tiny-disk-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${capacityBytes}`, 'tmpfs', directory]);
  } catch {
    return { directory, isReal: false, openFile: (path) => openOn(capacityBytes, path), close: remove };
  }
  return {
    directory,
    isReal: true,
    async close() {
      await run('umount', [directory]);
      await remove();
    },
  };
}

async function openOn(capacityBytes: number, path: string): Promise<RecordingFile> {
  const file = await createFile(path);
  return {
    close: () => file.close(),
    write(bytes, offset, length, position) {
      if (position + length <= capacityBytes) return file.write(bytes, offset, length, position);
      return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
    },
  };
}
