import { z } from 'zod';
import type { Subprocess } from '../processes.ts';
import { usageOf, type Usage } from '../voice/worker-watch.ts';

const threadSchema = z.object({
  name: z.string(),
  atMs: z.number(),
  cpuMicros: z.number(),
  waitMicros: z.number(),
  delayP99Ms: z.number(),
  delayMostMs: z.number(),
  heapBytes: z.number(),
});
export type ThreadReading = z.output<typeof threadSchema>;
const threadsSchema = z.object({ threads: z.array(threadSchema) });

/** The folder of each thread's code is its name. */
export type ThreadName = 'model-thread' | 'media-thread';

export interface Reading {
  readonly atMs: number;
  readonly process: Usage;
  readonly threads: readonly ThreadReading[];
}

/** Reads a worker with the probe, and begins to count the delays of its threads. The `end` of a measurement also collects garbage. */
export async function readWorker(worker: Subprocess, moment: 'begin' | 'end'): Promise<Reading> {
  const threads = await readThreads(worker, moment);
  return { atMs: performance.now(), process: await usageOf(worker), threads };
}

function readThreads(worker: Subprocess, moment: 'begin' | 'end'): Promise<readonly ThreadReading[]> {
  return new Promise((resolve) => {
    const ignore = worker.onMessage((message) => {
      const parsed = threadsSchema.safeParse(message);
      if (!parsed.success) return;
      ignore();
      resolve(parsed.data.threads);
    });
    worker.send(moment);
  });
}

export const threadOf = ({ threads }: Reading, name: ThreadName): ThreadReading | undefined =>
  threads.find((thread) => thread.name === name);

/** What a thread used between two readings, in percent of a core. NaN if it did not answer. */
export function threadShare(before: Reading, after: Reading, name: ThreadName) {
  const [from, to] = [threadOf(before, name), threadOf(after, name)];
  if (!from || !to) return { core: NaN, waiting: NaN };
  const share = (of: 'cpuMicros' | 'waitMicros') => (to[of] - from[of]) / (to.atMs - from.atMs) / 10;
  return { core: share('cpuMicros'), waiting: share('waitMicros') };
}

export function processShare(before: Reading, after: Reading): number {
  return (after.process.cpuMicros - before.process.cpuMicros) / (after.atMs - before.atMs) / 10;
}
