import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ReplyHeaders } from './reply.ts';
import { cacheFile, type CachedFile } from './cached-file.ts';

/** Files in memory, by their paths with a leading slash. */
export type CachedFiles = ReadonlyMap<string, CachedFile>;

type HeadersOf = (path: string, bytes: Buffer) => ReplyHeaders;

/** The page of a folder that a build has filled. */
export const INDEX = '/index.html';

/** Reads a folder at the first request: most processes are asked for none of its files. */
export function cachedFolder(dir: string, headersOf: HeadersOf): () => Promise<CachedFiles> {
  let cached: Promise<CachedFiles> | undefined;
  return async () => {
    cached ??= filesIn(dir, headersOf);
    const files = await cached.catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    // A build may follow: look again at the next request.
    if (!files.has(INDEX)) cached = undefined;
    return files;
  };
}

/**
 * Every file below a folder. A request can only reach a key of this map, so a path cannot leave the folder. Files whose
 * names begin with a dot are left out. An absent folder has no files.
 */
async function filesIn(dir: string, headersOf: HeadersOf): Promise<CachedFiles> {
  const names = await namesIn(dir);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = `/${name.split(sep).join('/')}`;
      const bytes = await readFile(join(dir, name));
      return [path, cacheFile(path, bytes, headersOf(path, bytes))] as const;
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
