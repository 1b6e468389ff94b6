import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { orUsage } from '@outdial/testkit';
import { formatFigure, meetsGoal, writeReport, type Figure } from './report.ts';
import { measureCreates } from './scenarios/creates.ts';
import { measureEndedCalls } from './scenarios/ended-calls.ts';
import { measureHistory } from './scenarios/history.ts';
import { measureLiveCalls } from './scenarios/live-calls.ts';
import { seedAccount } from './seed.ts';
import { openStage } from './stage.ts';

const SCENARIOS = {
  creates: measureCreates,
  ended: measureEndedCalls,
  live: measureLiveCalls,
  history: measureHistory,
};

const USAGE = `npm run bench [-- --only ${Object.keys(SCENARIOS).join('|')}]`;
const say = (text: string) => void process.stdout.write(`${text}\n`);

function chosenScenarios(): readonly (keyof typeof SCENARIOS)[] {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
  const names = Object.keys(SCENARIOS).filter((name): name is keyof typeof SCENARIOS => name in SCENARIOS);
  const unknown = values.only?.filter((name) => !names.some((known) => known === name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no benchmark "${unknown.join(', ')}".`);
  return values.only === undefined ? names : names.filter((name) => values.only?.includes(name));
}

const scenarios = orUsage(`Usage: ${USAGE}`, chosenScenarios);
const stage = await openStage(say);
const figures: Figure[] = [];
try {
  const account = await seedAccount(stage);
  for (const scenario of scenarios) {
    say(`\n${scenario}`);
    const measured = await SCENARIOS[scenario](stage, account, (text) => say(`  ${text}`));
    for (const figure of measured) say(formatFigure(figure));
    figures.push(...measured);
  }
} finally {
  await stage.close();
}
const path = await writeReport(figures, fileURLToPath(new URL('../results', import.meta.url)));
say(`\n${figures.filter(meetsGoal).length} of ${figures.length} goals met. Written to ${path}`);
