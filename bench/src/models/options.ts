import { parseArgs } from 'node:util';

/** What a run measures, and how long. */
export interface ModelsOptions {
  readonly only: readonly ScenarioName[];
  /** At once, in the scenarios of load. */
  readonly calls: number;
  /** Of each measurement of load. */
  readonly seconds: number;
  /** Of the endurance. */
  readonly minutes: number;
  /** Where the profiles of threads go; null: none are made. */
  readonly profilesDir: string | null;
}

const SCENARIO_NAMES = ['realtime', 'cascade', 'reconnect', 'endurance'] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

export const USAGE =
  `npm run bench:models [-- --only ${SCENARIO_NAMES.join('|')}] [--calls 200] [--seconds 30] [--cpu-prof <folder>]\n` +
  '       npm run bench:models -- --endurance [--minutes 30]';

/** @throws Error that says what is wrong */
export function readOptions(): ModelsOptions {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      calls: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '30' },
      endurance: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '30' },
      'cpu-prof': { type: 'string' },
    },
  });
  const wanted = values.only ?? (values.endurance ? ['endurance'] : ['realtime', 'cascade', 'reconnect']);
  const only = SCENARIO_NAMES.filter((name) => wanted.includes(name));
  const unknown = wanted.filter((name) => !SCENARIO_NAMES.some((known) => known === name));
  if (unknown.length > 0) throw new Error(`There is no benchmark "${unknown.join(', ')}".`);
  return {
    only,
    calls: within('--calls', values.calls, { least: 10, most: 1_000 }),
    seconds: within('--seconds', values.seconds, { least: 10, most: 600 }),
    minutes: within('--minutes', values.minutes, { least: 1, most: 55 }),
    profilesDir: values['cpu-prof'] ?? null,
  };
}

function within(name: string, text: string, { least, most }: { readonly least: number; readonly most: number }) {
  const value = Number(text);
  if (!(value >= least && value <= most)) throw new Error(`${name} must be ${least} to ${most}.`);
  return value;
}
