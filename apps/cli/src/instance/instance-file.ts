import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const instanceSchema = z.strictObject({
  pid: z.int().positive(),
  base_url: z.string(),
  database_url: z.string(),
  redis_url: z.string(),
});

/** A running instance: how others on this machine reach its stores. */
export type Instance = z.output<typeof instanceSchema>;

export async function writeInstance(path: string, instance: Instance): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(instance, null, 2)}\n`);
}

/** The instance that runs now; undefined where there is none, or where only the file of a killed one was left. */
export async function readInstance(path: string): Promise<Instance | undefined> {
  const text = await readPrivateFile(path);
  const instance = text === undefined ? undefined : parseInstance(text);
  return instance && isAlive(instance.pid) ? instance : undefined;
}

/** Removes the file of this process, and of no other that has taken the folder meanwhile. */
export async function removeInstance(path: string, pid: number): Promise<void> {
  const text = await readPrivateFile(path);
  if (text !== undefined && parseInstance(text)?.pid === pid) await rm(path, { force: true });
}

function parseInstance(text: string): Instance | undefined {
  try {
    return instanceSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: then nothing is known of any instance, which is what a missing file says too.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs under another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
