import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../../report.ts';
import type { FarEndReport } from '../far-end/far-end.ts';
import { INTERVAL_SECONDS } from '../call-processes.ts';
import { NUMBERS, type VoiceStage } from '../stage.ts';
import { processShare, readWorker, rowOfWaits, threadShare, waitsOf, type Reading } from '../threads.ts';

const PER_SECOND = 20;
const INTERVALS = 6;
/** The calls at once of each step, and how late their packets may be. */
const STEPS = [
  { calls: 200, latestP99Ms: 2 },
  { calls: 300, latestP99Ms: 10 },
  { calls: 400, latestP99Ms: 10 },
  { calls: 500, latestP99Ms: 10 },
];
const MOST_MB_PER_CALL = 0.5;
const BYTES_PER_MB = 1_048_576;

interface Step {
  readonly calls: number;
  readonly worst: FarEndReport;
  readonly lost: number;
  readonly packetsPerSecond: number;
  readonly before: Reading;
  readonly after: Reading;
}

/**
 * How late packets arrive at a far end that costs the machine little: the kernel notes when each arrives, and a C program
 * sends it back. Both directions carry speech all the time, and both are recorded.
 */
export async function measureFarEnd(stage: VoiceStage, say: (text: string) => void): Promise<Figure[]> {
  const calls: string[] = [];
  const steps: Step[] = [];
  for (const { calls: count } of STEPS) {
    const more = {
      count: count - calls.length,
      perSecond: PER_SECOND,
      toNumber: NUMBERS.echo,
      agent: 'talker',
    } as const;
    calls.push(...(await stage.talk(more)));
    const step = await measure(stage, count);
    say(rowOf(step));
    steps.push(step);
  }
  await stage.end(calls);
  const figures = steps.map((step, index) => latenessOf(step, STEPS[index]?.latestP99Ms ?? 0));
  return [...figures, memoryOf(steps)];
}

async function measure(stage: VoiceStage, calls: number): Promise<Step> {
  // Waits for the end of the burst of answers.
  await sleep(INTERVAL_SECONDS * 1_000);
  const before = await readWorker(stage.worker, 'begin');
  await stage.farEndReport();
  const reports: FarEndReport[] = [];
  while (reports.length < INTERVALS) {
    await sleep(INTERVAL_SECONDS * 1_000);
    reports.push(await stage.farEndReport());
  }
  const after = await readWorker(stage.worker, 'end');
  const worst = reports.toSorted((one, other) => other.latenessP99Ms - one.latenessP99Ms)[0];
  if (worst === undefined) throw new Error('the far end reported nothing');
  const sum = (of: (report: FarEndReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const packetsPerSecond = sum(({ packets }) => packets) / (INTERVALS * INTERVAL_SECONDS);
  return { calls, worst, packetsPerSecond, lost: sum(({ lost }) => lost), before, after };
}

function latenessOf({ calls, worst, lost, packetsPerSecond, before, after }: Step, latestP99Ms: number): Figure {
  return {
    name: `${calls} calls, both directions recorded: lateness p99 of packets at the far end`,
    value: worst.latenessP99Ms,
    unit: 'ms',
    goal: { atMost: latestP99Ms },
    absolute: {
      'p50 ms': worst.latenessP50Ms,
      'most ms': worst.latenessMostMs,
      lost,
      'packets per second': packetsPerSecond,
      'worker, % of a core': processShare(before, after),
      'media thread, % of a core': threadShare(before, after, 'media-thread').core,
      ...waitsOf(before, after),
    },
  };
}

/** Between the fewest and the most calls, so that what every worker holds does not count. */
function memoryOf(steps: readonly Step[]): Figure {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) throw new Error('there is a step');
  const grown = last.after.process.rssBytes - first.after.process.rssBytes;
  return {
    name: `${first.calls} to ${last.calls} calls: the worker's resident memory, each further call`,
    value: grown / (last.calls - first.calls) / BYTES_PER_MB,
    unit: 'MB',
    goal: { atMost: MOST_MB_PER_CALL },
    absolute: {},
  };
}

const rowOf = ({ calls, worst, lost, packetsPerSecond, before, after }: Step): string =>
  `${calls} calls: p50 ${worst.latenessP50Ms}, p99 ${worst.latenessP99Ms}, most ${worst.latenessMostMs} ms; lost ${lost} of ${packetsPerSecond.toFixed(0)} a second; ` +
  `worker ${processShare(before, after).toFixed(0)} %; ${rowOfWaits(before, after)}`;
