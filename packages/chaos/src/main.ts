import { randomInt } from 'node:crypto';
import { orUsage } from '@outdial/testkit';
import buildServices from '@outdial/testkit/build-services';
import { readOptions, USAGE } from './options.ts';
import { formatDetails, formatTable, isKept } from './report/table.ts';
import { runFault, type FaultReport } from './run-fault.ts';
import { openStack, type Stack } from './stack/stack.ts';

const say = (text: string) => void process.stdout.write(`${text}\n`);

const { faults, seed = randomInt(1_000_000), minutes } = orUsage(USAGE, () => readOptions(process.argv.slice(2)));
say(`Seed ${seed}`);
await buildServices();
const reports: FaultReport[] = [];
let stack: Stack | undefined;
const closeStack = () => stack?.close({ keepLogs: !reports.every(isKept) });
try {
  for (const fault of faults) {
    const { carrier, redisKind = 'server', layout = 'single', oneVersionBack = false } = fault;
    const isSame = stack?.carrier === carrier && stack.redisKind === redisKind && stack.layout === layout;
    if (!isSame || oneVersionBack || stack?.previous !== null) {
      await closeStack();
      stack = await openStack({ carrier, redisKind, layout, oneVersionBack, announce: say });
    }
    say(`\n${fault.name}: ${fault.expectation}`);
    const report = await runFault(fault, stack, { seed, minutes, judgesTimes: true, say: (text) => say(`  ${text}`) });
    for (const detail of formatDetails(report)) say(`  ${detail}`);
    reports.push(report);
  }
} finally {
  await closeStack();
}
say(`\n${formatTable(reports)}`);
if (!reports.every(isKept)) {
  const broken = reports.filter((report) => !isKept(report)).map((report) => `--only ${report.fault.name}`);
  say(`\nTo repeat this run: npm run chaos -- --seed ${seed} ${broken.join(' ')}`);
}
// Everything is closed. A killed process may have left a connection that would keep this one alive.
process.exit(reports.every(isKept) ? 0 : 1);
