import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { onTestFinished } from 'vitest';

import { recordedProcess, type ProcessIdentity } from '../machine/process-record.ts';
import { builtPath } from './built-path.ts';
import type { Urls } from './marks.ts';

/** A process that has stores open. */
export interface Holder {
  readonly process: ChildProcess;
  readonly urls: Urls;
  nextLine(): Promise<string>;
}

/** Starts one, and resolves once its stores are open. `mode` is what it does then. */
export async function startHolder(dataDir: string, mode: 'hold' | 'exit' | 'answer-interrupt'): Promise<Holder> {
  const script = builtPath(new URL('holder.ts', import.meta.url));
  const holder = spawn(process.execPath, [script, dataDir, mode], {
    // Its own group, as a terminal gives each command.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  const lines = createInterface(holder.stdout)[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('The holder ended without output.');
    return value;
  };
  const [redisUrl = '', databaseUrl = ''] = (await nextLine()).split(' ');
  return { process: holder, urls: { redisUrl, databaseUrl }, nextLine };
}

/** The processes of the stores, from the stores' own records. */
export function recordedServers(dataDir: string): readonly (ProcessIdentity | undefined)[] {
  return ['redis/redis.pid.json', 'postgres/postgres.pid.json'].map((file) => recordedProcess(join(dataDir, file)));
}
