import { open, type FileHandle } from 'node:fs/promises';
import { BYTES_PER_STEREO_SAMPLE, WAV_HEADER_BYTES, wavHeader } from './wav-header.ts';

/**
 * Corrects the length in the header of a crashed process's recording. The file's length is authoritative, because sound is
 * written before the header that counts it. A file with a correct header is not written to.
 *
 * Returns false if there is no file, or no whole sample in it.
 */
export async function repairWav(path: string): Promise<boolean> {
  const file = await openExisting(path);
  if (!file) return false;
  try {
    const { size } = await file.stat();
    const dataBytes = size - WAV_HEADER_BYTES - (Math.max(0, size - WAV_HEADER_BYTES) % BYTES_PER_STEREO_SAMPLE);
    if (dataBytes <= 0) return false;
    const expected = wavHeader(dataBytes);
    const found = Buffer.alloc(WAV_HEADER_BYTES);
    await file.read(found, 0, WAV_HEADER_BYTES, 0);
    if (size === WAV_HEADER_BYTES + dataBytes && found.equals(expected)) return true;
    await file.truncate(WAV_HEADER_BYTES + dataBytes);
    await file.write(expected, 0, WAV_HEADER_BYTES, 0);
    return true;
  } finally {
    await file.close();
  }
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The file or one of its parent folders does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
