import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const instanceSchema = z.strictObject({
  pid: z.int().positive(),
  base_url: z.string(),
  database_url: z.string(),
  redis_url: z.string(),
});

/** A running instance: how other programs on this machine reach its stores. */
export type Instance = z.output<typeof instanceSchema>;

export async function writeInstance(path: string, instance: Instance): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(instance, null, 2)}\n`);
}

/** The running instance; undefined when there is none, or when the file is left over from a killed one. */
export async function readInstance(path: string): Promise<Instance | undefined> {
  const text = await readPrivateFile(path);
  const instance = text === undefined ? undefined : parseInstance(text);
  return instance && isAlive(instance.pid) ? instance : undefined;
}

/** Removes the file if this process wrote it. Another process may have claimed the folder since. */
export async function removeInstance(path: string, pid: number): Promise<void> {
  const text = await readPrivateFile(path);
  if (text !== undefined && parseInstance(text)?.pid === pid) await rm(path, { force: true });
}

function parseInstance(text: string): Instance | undefined {
  try {
    return instanceSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: treated like a missing file.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs under another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
