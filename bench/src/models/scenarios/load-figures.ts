import type { Figure } from '../../report.ts';
import { processShare, threadOf, rowOfWaits, threadShare, waitsOf, type Reading } from '../../voice/threads.ts';

const MEGABYTE = 1_024 * 1_024;
const GOALS = {
  realtime: { core: 30, memoryMb: 0.5 },
  cascade: { core: 50, memoryMb: 0.8 },
} as const;

/** One measurement of many calls. */
export interface Measured {
  readonly before: Reading;
  readonly after: Reading;
  readonly latenessP99Ms: number;
  readonly lost: number;
  /** Of the processes beside the worker, in percent of a core. */
  readonly calleeCore: number;
  readonly providersCore: number;
}

export function figuresOf({
  driver,
  name,
  calls,
  scripted,
  conducted,
}: {
  readonly driver: 'realtime' | 'cascade';
  readonly name: string;
  readonly calls: number;
  readonly scripted: Measured;
  readonly conducted: Measured;
}): Figure[] {
  const { before, after, latenessP99Ms, lost, calleeCore, providersCore } = conducted;
  const models = threadShare(before, after, 'model-thread');
  const media = threadShare(before, after, 'media-thread');
  const mediaScripted = threadShare(scripted.before, scripted.after, 'media-thread').core;
  const thread = threadOf(after, 'model-thread');
  const memoryMb = (after.process.rssBytes - scripted.after.process.rssBytes) / calls / MEGABYTE;
  return [
    {
      name: `${name}: the model thread`,
      value: models.core,
      unit: '% of a core',
      goal: { atMost: GOALS[driver].core },
      absolute: { 'waited for a core, ms per second': models.waitedMsPerSecond, 'providers %': providersCore },
    },
    {
      name: `${name}: memory that models add to a call`,
      value: memoryMb,
      unit: 'MB',
      goal: { atMost: GOALS[driver].memoryMb },
      absolute: {
        'heap of the model thread MB': (thread?.heapBytes ?? NaN) / MEGABYTE,
        'worker MB': after.process.rssBytes / MEGABYTE,
        'with scripted calls MB': scripted.after.process.rssBytes / MEGABYTE,
      },
    },
    {
      name: `${name}: the whole worker`,
      value: processShare(before, after),
      unit: '% of a core',
      goal: { atMost: 100 },
      absolute: { 'scripted %': processShare(scripted.before, scripted.after), 'callees %': calleeCore },
    },
    {
      name: `${name}: the media thread against scripted calls`,
      value: (media.core / mediaScripted) * 100 - 100,
      unit: '%',
      goal: { atMost: 12 },
      absolute: { '% of a core': media.core, 'scripted %': mediaScripted },
    },
    {
      name: `${name}: sent-packet lateness p99`,
      value: latenessP99Ms,
      unit: 'ms',
      goal: { atMost: 10 },
      absolute: { 'scripted ms': scripted.latenessP99Ms, lost, ...waitsOf(before, after) },
    },
    {
      name: `${name}: event-loop delay of the model thread p99`,
      value: thread?.delayP99Ms ?? NaN,
      unit: 'ms',
      goal: { atMost: 20 },
      absolute: { 'most ms': thread?.delayMostMs ?? NaN, ...waitsOf(before, after) },
    },
  ];
}

/** For a person who watches the run. */
export function rowOf({ before, after, latenessP99Ms, lost, calleeCore, providersCore }: Measured): string {
  const [models, media] = (['model-thread', 'media-thread'] as const).map((name) => threadShare(before, after, name));
  return (
    `worker ${percent(processShare(before, after))} of a core, media thread ${percent(media?.core ?? NaN)}, ` +
    `model thread ${percent(models?.core ?? NaN)}, callees ${percent(calleeCore)}, providers ${percent(providersCore)}; ` +
    `lateness p99 ${latenessP99Ms.toFixed(1)} ms, lost ${lost}; ${rowOfWaits(before, after)}`
  );
}

const percent = (value: number): string => `${value.toFixed(1)} %`;
