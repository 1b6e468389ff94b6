import { mkdir } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { orUsage } from '@outdial/testkit';
import { unreachable } from '@outdial/kernel';
import { meetsGoal, writeReport, type Figure } from '../report.ts';
import { FIGURE_HEAD, figureRow } from '../voice/figures.ts';
import { readOptions, USAGE, type ModelsOptions, type ScenarioName } from './options.ts';
import { measureEndurance } from './scenarios/endurance.ts';
import { measureLoad } from './scenarios/load.ts';
import { measureReconnect } from './scenarios/reconnect.ts';
import { openModelsStage, type ModelsStage } from './stage.ts';

const say = (text: string) => void process.stdout.write(`${text}\n`);
const sayOfPart = (text: string) => say(`  ${text}`);

function measure(scenario: ScenarioName, stage: ModelsStage, options: ModelsOptions): Promise<Figure[]> {
  switch (scenario) {
    case 'realtime':
    case 'cascade':
      return measureLoad(scenario, stage, options, sayOfPart);
    case 'reconnect':
      return measureReconnect(stage, sayOfPart);
    case 'endurance':
      return measureEndurance(stage, options.minutes, sayOfPart);
    default:
      return unreachable(scenario);
  }
}

const options = orUsage(`Usage: ${USAGE}`, readOptions);
const [load = 0] = loadavg();
if (load > 1) say(`The machine is busy (load ${load.toFixed(1)}): the figures will be worse than on an idle machine.`);
const figures: Figure[] = [];
for (const scenario of options.only) {
  say(`\n${scenario}`);
  const profilesDir = `${options.profilesDir ?? '.'}/${scenario}`;
  if (options.profilesDir !== null) await mkdir(profilesDir, { recursive: true });
  const stage = await openModelsStage(sayOfPart, profilesDir);
  try {
    figures.push(...(await measure(scenario, stage, options)));
  } finally {
    for (const [cause, minds] of stage.workerLog.mindFailures) sayOfPart(`${minds} minds failed: ${cause}`);
    await stage.close();
  }
}
say(`\n${FIGURE_HEAD}`);
for (const figure of figures) say(figureRow(figure));
const path = await writeReport(figures, fileURLToPath(new URL('../../results', import.meta.url)));
say(`\n${figures.filter(meetsGoal).length} of ${figures.length} goals met. Written to ${path}`);
