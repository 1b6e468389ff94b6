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

const NORMAL = 0;
const ROUND_ROBIN = 2;

async function inThread(workerData: number | 'real_time') {
  const entry = new URL('../test/worker/priority-worker.mjs', import.meta.url);
  const worker = new Worker(entry, { workerData, execArgv: ['--conditions=@outdial/source'] });
  const [found] = await once(worker, 'message');
  await worker.terminate();
  return found;
}

describe('the priority of a thread', () => {
  it.each([-10, -5])('is raised to %s where that is permitted, and no other thread is touched', async (niceness) => {
    const before = getPriority();
    const { raised, priority } = await inThread(niceness);
    expect(priority).toBe(raised ? niceness : before);
    expect(getPriority()).toBe(before);
  });

  it('is real time where that is permitted, and no other thread is touched', async () => {
    const { raised, policy, realTimePriority } = await inThread('real_time');
    const isLinux = process.platform === 'linux';
    if (isLinux && process.getuid?.() === 0 && availableParallelism() > 1 && hasNiceCapability())
      expect(raised).toBe(true);
    if (isLinux) expect([policy, realTimePriority]).toEqual(raised ? [ROUND_ROBIN, 1] : [NORMAL, 0]);
    expect(ownPolicy()).toBe(isLinux ? NORMAL : undefined);
  });
});

/** A container may run as root without it. */
function hasNiceCapability(): boolean {
  const [, effective = '0'] = /^CapEff:\s+([\da-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return ((BigInt(`0x${effective}`) >> 23n) & 1n) === 1n;
}
