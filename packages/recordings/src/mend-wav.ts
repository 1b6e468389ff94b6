import { open, type FileHandle } from 'node:fs/promises';
import { BYTES_PER_STEREO_SAMPLE, WAV_HEADER_BYTES, wavHeader } from './wav-header.ts';

/**
 * Makes the recording of a crashed process say how long it really is. The file's length is the truth: sound is written
 * before the header that counts it. A file whose header is right already is not written to.
 *
 * False if there is no file or no whole sample in it.
 */
export async function mendWav(path: string): Promise<boolean> {
  const file = await openExisting(path);
  if (!file) return false;
  try {
    const { size } = await file.stat();
    const dataBytes = size - WAV_HEADER_BYTES - (Math.max(0, size - WAV_HEADER_BYTES) % BYTES_PER_STEREO_SAMPLE);
    if (dataBytes <= 0) return false;
    const right = wavHeader(dataBytes);
    const found = Buffer.alloc(WAV_HEADER_BYTES);
    await file.read(found, 0, WAV_HEADER_BYTES, 0);
    if (size === WAV_HEADER_BYTES + dataBytes && found.equals(right)) return true;
    await file.truncate(WAV_HEADER_BYTES + dataBytes);
    await file.write(right, 0, WAV_HEADER_BYTES, 0);
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

/** The file, or a folder above it, does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
