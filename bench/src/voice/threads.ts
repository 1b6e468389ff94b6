import { z } from 'zod';
import type { Subprocess } from '../processes.ts';
import { readMachineTime, stealPercent, type MachineTime } from '../steal.ts';
import { usageOf, type Usage } from './worker-watch.ts';

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
  readonly machine: MachineTime;
}

/** Reads a worker with the probe, and begins to count the delays of its threads. The `end` of a measurement also collects garbage. */
export async function readWorker(worker: Subprocess, moment: 'begin' | 'end'): Promise<Reading> {
  const threads = await readThreads(worker, moment);
  return { atMs: performance.now(), process: await usageOf(worker), threads, machine: readMachineTime() };
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

/**
 * What a thread used between two readings, in percent of a core, and how long it waited for a core although it had work, in
 * ms per second. NaN if it did not answer.
 */
export function threadShare(before: Reading, after: Reading, name: ThreadName) {
  const [from, to] = [threadOf(before, name), threadOf(after, name)];
  if (!from || !to) return { core: NaN, waitedMsPerSecond: NaN };
  const msPerSecond = (of: 'cpuMicros' | 'waitMicros') => (to[of] - from[of]) / (to.atMs - from.atMs);
  return { core: msPerSecond('cpuMicros') / 10, waitedMsPerSecond: msPerSecond('waitMicros') };
}

/** How much of a lateness may come from the machine: beside each figure of it. */
export function waitsOf(before: Reading, after: Reading): Readonly<Record<string, number>> {
  const models = threadShare(before, after, 'model-thread').waitedMsPerSecond;
  return {
    'steal %': stealPercent(before.machine, after.machine),
    'media thread waited for a core, ms per second': threadShare(before, after, 'media-thread').waitedMsPerSecond,
    ...(Number.isNaN(models) ? {} : { 'model thread waited for a core, ms per second': models }),
  };
}

/** For a person who watches the run. */
export function rowOfWaits(before: Reading, after: Reading): string {
  return Object.entries(waitsOf(before, after))
    .map(([name, value]) => `${name} ${value.toFixed(1)}`)
    .join('; ');
}

export function processShare(before: Reading, after: Reading): number {
  return (after.process.cpuMicros - before.process.cpuMicros) / (after.atMs - before.atMs) / 10;
}
