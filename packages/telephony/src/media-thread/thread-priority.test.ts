import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

describe('the priority of a thread', () => {
  it('is raised where that is permitted, and no other thread is touched', async () => {
    const before = getPriority();
    const entry = new URL('../../test/worker/priority-worker.mjs', import.meta.url);
    const worker = new Worker(entry, { execArgv: ['--conditions=@outdial/source'] });
    const [{ raised, priority }] = await once(worker, 'message');
    await worker.terminate();
    expect(priority).toBe(raised ? -10 : before);
    expect(getPriority()).toBe(before);
  });
});
