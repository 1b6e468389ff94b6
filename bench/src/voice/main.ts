import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { orUsage } from '@outdial/testkit';
import { meetsGoal, writeReport, type Figure } from '../report.ts';
import { FIGURE_HEAD, figureRow } from './figures.ts';
import { measureFarEnd } from './scenarios/far-end.ts';
import { measureLongCalls } from './scenarios/long-calls.ts';
import { measureMonitors } from './scenarios/monitors.ts';
import { measureSetUp } from './scenarios/set-up.ts';
import { measureSimultaneous } from './scenarios/simultaneous.ts';
import { measureTakingTurns } from './scenarios/taking-turns.ts';
import { openVoiceStage } from './stage.ts';

const SCENARIOS = {
  simultaneous: measureSimultaneous,
  'far-end': measureFarEnd,
  monitors: measureMonitors,
  'set-up': measureSetUp,
  turns: measureTakingTurns,
  long: measureLongCalls,
};
type Scenario = keyof typeof SCENARIOS;

const NAMES = Object.keys(SCENARIOS).filter((name): name is Scenario => name in SCENARIOS);
const USAGE = `npm run bench:voice [-- --only ${NAMES.join('|')}] [--calls 200] [--minutes 30]`;
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** What a run measures, and how long. */
interface VoiceOptions {
  readonly scenarios: readonly Scenario[];
  readonly minutes: number;
  /** Of `simultaneous` and `monitors`. */
  readonly calls: number;
}

/** @throws Error that says what is wrong */
function readOptions(): VoiceOptions {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      calls: { type: 'string', default: '200' },
      minutes: { type: 'string', default: '30' },
    },
  });
  const unknown = values.only?.filter((name) => !NAMES.some((known) => known === name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no benchmark "${unknown.join(', ')}".`);
  const minutes = Number(values.minutes);
  if (!(minutes >= 1 && minutes < 30.1)) throw new Error('--minutes must be 1 to 30.');
  const calls = Number(values.calls);
  if (!(calls >= 10 && calls <= 1_000)) throw new Error('--calls must be 10 to 1000.');
  return { minutes, calls, scenarios: values.only ? NAMES.filter((name) => values.only?.includes(name)) : NAMES };
}

const options = orUsage(`Usage: ${USAGE}`, readOptions);
const [load = 0] = loadavg();
if (load > 1) say(`The machine is busy (load ${load.toFixed(1)}): the figures will be worse than on an idle machine.`);
const figures: Figure[] = [];
for (const scenario of options.scenarios) {
  say(`\n${scenario}`);
  const stage = await openVoiceStage({ announce: (text) => say(`  ${text}`), hasFarEnd: scenario === 'far-end' });
  try {
    figures.push(...(await SCENARIOS[scenario](stage, (text) => say(`  ${text}`), options)));
  } finally {
    await stage.close();
  }
}
say(`\n${FIGURE_HEAD}`);
for (const figure of figures) say(figureRow(figure));
const path = await writeReport(figures, fileURLToPath(new URL('../../results', import.meta.url)));
say(`\n${figures.filter(meetsGoal).length} of ${figures.length} goals met. Written to ${path}`);
