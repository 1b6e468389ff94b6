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

interface OpeningHolder {
  readonly process: ChildProcess;
  /** Resolves once the stores are open. */
  urls(): Promise<Urls>;
  nextLine(): Promise<string>;
}

export async function startHolder(dataDir: string, mode: 'hold' | 'exit' | 'answer-interrupt'): Promise<Holder> {
  const opening = startOpening(dataDir, mode);
  return { process: opening.process, urls: await opening.urls(), nextLine: () => opening.nextLine() };
}

/** Starts one without waiting for its stores. `mode` is what it does once they are open. */
export function startOpening(dataDir: string, mode: 'hold' | 'exit' | 'answer-interrupt'): OpeningHolder {
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
  const urls = async () => {
    const [redisUrl = '', databaseUrl = ''] = (await nextLine()).split(' ');
    return { redisUrl, databaseUrl };
  };
  return { process: holder, urls, nextLine };
}

/** The processes of the stores, from the stores' own records. */
export function recordedServers(dataDir: string): readonly (ProcessIdentity | undefined)[] {
  return ['redis/redis.pid.json', 'postgres/postgres.pid.json'].map((file) => recordedProcess(join(dataDir, file)));
}
