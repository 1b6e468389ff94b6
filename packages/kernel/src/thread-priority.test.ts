import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

describe('the priority of a thread', () => {
  it.each([-10, -5])('is raised to %s where that is permitted, and no other thread is touched', async (niceness) => {
    const before = getPriority();
    const entry = new URL('../test/worker/priority-worker.mjs', import.meta.url);
    const worker = new Worker(entry, { workerData: niceness, execArgv: ['--conditions=@outdial/source'] });
    const [{ raised, priority }] = await once(worker, 'message');
    await worker.terminate();
    expect(priority).toBe(raised ? niceness : before);
    expect(getPriority()).toBe(before);
  });
});
