import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ReplyHeaders } from '../../http/reply.ts';
import { keepFile, type KeptFile } from './kept-file.ts';

/**
 * Every file below a folder, in memory, by its path with a leading slash. A request can only reach a key of this map, so
 * a path cannot leave the folder. Files whose names begin with a dot are left out. An absent folder has no files.
 */
export async function keptFilesIn(
  dir: string,
  headersOf: (path: string, bytes: Buffer) => ReplyHeaders,
): Promise<ReadonlyMap<string, KeptFile>> {
  const names = await namesIn(dir);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = `/${name.split(sep).join('/')}`;
      const bytes = await readFile(join(dir, name));
      return [path, keepFile(path, bytes, headersOf(path, bytes))] as const;
    }),
  );
  return new Map(files);
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => relative(dir, join(entry.parentPath, entry.name)));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
