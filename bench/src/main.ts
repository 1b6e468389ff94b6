import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { orUsage } from '@outdial/testkit';
import { compareWith, type Comparison } from './against/compare.ts';
import { formatFigure, meetsGoal, writeReport, type Figure } from './report.ts';
import { measureCampaigns } from './scenarios/campaigns.ts';
import { measureCreates } from './scenarios/creates.ts';
import { measureEndedCalls } from './scenarios/ended-calls.ts';
import { measureHistory } from './scenarios/history.ts';
import { measureLiveCalls } from './scenarios/live-calls.ts';
import { measurePolicies } from './scenarios/policies.ts';
import { measureSchedules } from './scenarios/schedules.ts';
import { measureShares } from './scenarios/shares.ts';
import { measureSuppressions } from './scenarios/suppressions.ts';
import { measureTraces } from './scenarios/traces.ts';
import { measureWaiting } from './scenarios/waiting.ts';
import { measureWebhooks } from './scenarios/webhooks.ts';
import { seedAccount } from './seed.ts';
import { openStage } from './stage.ts';

const SCENARIOS = {
  creates: measureCreates,
  ended: measureEndedCalls,
  shares: measureShares,
  live: measureLiveCalls,
  schedules: measureSchedules,
  campaigns: measureCampaigns,
  suppressions: measureSuppressions,
  policies: measurePolicies,
  traces: measureTraces,
  waiting: measureWaiting,
  history: measureHistory,
  webhooks: measureWebhooks,
};

const NAMES = Object.keys(SCENARIOS).filter((name): name is keyof typeof SCENARIOS => name in SCENARIOS);
const USAGE = `npm run bench [-- --only ${NAMES.join('|')}], or npm run bench -- --against <commit> [--pairs 15] [--endpoint]`;
const say = (text: string) => void process.stdout.write(`${text}\n`);

type Task =
  | { readonly kind: 'scenarios'; readonly names: readonly (keyof typeof SCENARIOS)[] }
  | ({ readonly kind: 'against' } & Comparison);

function readTask(): Task {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      against: { type: 'string' },
      pairs: { type: 'string', default: '15' },
      endpoint: { type: 'boolean', default: false },
    },
  });
  const { against: commit, only, endpoint } = values;
  const pairs = Number(values.pairs);
  if (!Number.isInteger(pairs) || pairs < 1) throw new Error('--pairs must be a whole number from 1.');
  if (commit !== undefined) return { kind: 'against', commit, pairs, endpoint };
  const unknown = only?.filter((name) => !NAMES.some((known) => known === name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no benchmark "${unknown.join(', ')}".`);
  return { kind: 'scenarios', names: only === undefined ? NAMES : NAMES.filter((name) => only.includes(name)) };
}

async function runScenarios(names: readonly (keyof typeof SCENARIOS)[]): Promise<void> {
  const stage = await openStage(say);
  const figures: Figure[] = [];
  try {
    const account = await seedAccount(stage);
    for (const scenario of names) {
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
}

const task = orUsage(`Usage: ${USAGE}`, readTask);
if (task.kind === 'scenarios') await runScenarios(task.names);
else if (!(await compareWith(task, say))) process.exitCode = 1;
