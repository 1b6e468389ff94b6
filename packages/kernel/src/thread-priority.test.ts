import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

/** Of the first thread of this process, by its number (sched(7)). */
function ownPolicy(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38]);
}

const isLinux = process.platform === 'linux';
const NORMAL = 0;
const ROUND_ROBIN = 2;

async function inThread(workerData: { readonly wanted: number | 'real_time'; readonly path?: string }) {
  const entry = new URL('../test/worker/priority-worker.mjs', import.meta.url);
  const worker = new Worker(entry, { workerData, execArgv: ['--conditions=@outdial/source'] });
  const [found] = await once(worker, 'message');
  await worker.terminate();
  return found;
}

describe('the priority of a thread', () => {
  it.each([-10, -5])('is raised to %s where that is permitted, and no other thread is touched', async (niceness) => {
    const before = getPriority();
    const { raised, priority } = await inThread({ wanted: niceness });
    expect(priority).toBe(raised ? niceness : before);
    expect(getPriority()).toBe(before);
  });

  it('is real time where that is permitted, and no other thread is touched', async () => {
    const { raised, scheduling, ofChild } = await inThread({ wanted: 'real_time' });
    expect(raised).toBe(isLinux && availableParallelism() > 1 && permitsRealTime());
    if (isLinux) expect(scheduling).toEqual(raised ? [1, ROUND_ROBIN] : [0, NORMAL]);
    if (isLinux) expect(ofChild).toEqual([0, NORMAL]);
    expect(ownPolicy()).toBe(isLinux ? NORMAL : undefined);
  });

  it('is what it was where the program that changes it is missing', async () => {
    const { raised, scheduling } = await inThread({ wanted: 'real_time', path: '/nowhere' });
    expect(raised).toBe(false);
    if (isLinux) expect(scheduling).toEqual([0, NORMAL]);
  });
});

/** Whether the system lets a program begin another one in real time. */
const permitsRealTime = (): boolean => spawnSync('chrt', ['--rr', '1', 'true']).status === 0;
