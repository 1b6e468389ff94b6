import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { orUsage } from '@outdial/testkit';
import { formatFigure, meetsGoal, writeReport, type Figure } from '../report.ts';
import { measurePage } from './scenarios/page.ts';
import { measureServer } from './scenarios/server.ts';
import { openDashboardStage } from './stage.ts';

const SCENARIOS = { server: measureServer, page: measurePage };
type Scenario = keyof typeof SCENARIOS;

const NAMES = Object.keys(SCENARIOS).filter((name): name is Scenario => name in SCENARIOS);
const USAGE = `npm run bench:dashboard [-- --only ${NAMES.join('|')}] [--seconds 20]`;
const CALLS = 10_000;
const say = (text: string) => void process.stdout.write(`${text}\n`);

function readOptions(): { readonly scenarios: readonly Scenario[]; readonly seconds: number } {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, seconds: { type: 'string', default: '20' } },
  });
  const unknown = values.only?.filter((name) => !NAMES.some((known) => known === name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no benchmark "${unknown.join(', ')}".`);
  const seconds = Number(values.seconds);
  if (!(seconds >= 1 && seconds <= 600)) throw new Error('--seconds must be 1 to 600.');
  return { seconds, scenarios: values.only ? NAMES.filter((name) => values.only?.includes(name)) : NAMES };
}

const { scenarios, seconds } = orUsage(`Usage: ${USAGE}`, readOptions);
const [load = 0] = loadavg();
if (load > 1) say(`The machine is busy (load ${load.toFixed(1)}): the figures will be worse than on an idle machine.`);
const figures: Figure[] = [];
const stage = await openDashboardStage(CALLS, (text) => say(`  ${text}`));
try {
  for (const scenario of scenarios) {
    say(`\n${scenario}`);
    const measured = await SCENARIOS[scenario](stage, seconds, (text) => say(`  ${text}`));
    for (const figure of measured) say(formatFigure(figure));
    figures.push(...measured);
  }
} finally {
  await stage.close();
}
const path = await writeReport(figures, fileURLToPath(new URL('../../results', import.meta.url)));
say(`\n${figures.filter(meetsGoal).length} of ${figures.length} goals met. Written to ${path}`);
