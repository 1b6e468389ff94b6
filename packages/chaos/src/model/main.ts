import { parseArgs } from 'node:util';
import { orUsage, privatePostgres, privateRedis } from '@outdial/testkit';
import { isProfileName, PROFILES, type ProfileName } from './profiles.ts';
import { runSeed, type Verdict } from './run-seed.ts';
import { openStores } from './stores/open-stores.ts';
import { connect } from './world/create-world.ts';
import type { Connections } from './world/world.ts';

const say = (text: string) => void process.stdout.write(`${text}\n`);

const USAGE = `Usage: npm run chaos:model [-- --seeds <number>] [--from <number>] [--profile <name>]

Runs the use cases on the real scripts and SQL, with messages delayed, lost and repeated as each seed says.

  --seeds <number>  how many seeds to run (100)
  --from <number>   the first seed (1)
  --profile <name>  only this profile; may be repeated

Profiles: ${Object.keys(PROFILES).join(', ')}`;

const { seeds, from, profiles } = orUsage(USAGE, () => {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '100' },
      from: { type: 'string', default: '1' },
      profile: { type: 'string', multiple: true, default: Object.keys(PROFILES) },
    },
  });
  return {
    seeds: wholeNumber('--seeds', values.seeds),
    from: wholeNumber('--from', values.from),
    profiles: values.profile.map(profileName),
  };
});

const redis = await privateRedis();
const postgres = await privatePostgres();
const connections = await connect(await openStores({ redisUrl: redis.url, databaseUrl: postgres.url }, 0));
try {
  let broken = 0;
  for (const name of profiles) broken += await runProfile(connections, name);
  process.exitCode = broken === 0 ? 0 : 1;
} finally {
  await connections.close();
  await Promise.all([redis.close(), postgres.close()]);
}

/** @returns the number of seeds that broke a promise. */
async function runProfile(connections: Connections, name: ProfileName): Promise<number> {
  const totals = new Map<string, number>();
  const add = (what: string, count: number) => totals.set(what, (totals.get(what) ?? 0) + count);
  let broken = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    const verdict = await runSeed(connections, PROFILES[name], seed);
    add('calls', verdict.calls);
    add('dials', verdict.dials);
    for (const [reason, count] of verdict.endedReasons) add(reason, count);
    if (verdict.violations.length === 0) continue;
    broken += 1;
    sayBroken(name, verdict);
  }
  const counts = [...totals].map(([what, count]) => `${what} ${count}`).join(', ');
  say(`${name.padEnd(16)} ${seeds} seeds, ${broken} broken: ${counts}`);
  return broken;
}

function sayBroken(name: ProfileName, { seed, violations, commands }: Verdict): void {
  say(`${name} breaks with seed ${seed}:`);
  for (const { promise, detail } of violations) say(`  ${promise}: ${detail}`);
  if (seeds === 1) say(`  after ${commands}`);
  else say(`  To repeat it: npm run chaos:model -- --profile ${name} --from ${seed} --seeds 1`);
}

function profileName(name: string): ProfileName {
  if (isProfileName(name)) return name;
  throw new Error(`There is no profile "${name}". There are: ${Object.keys(PROFILES).join(', ')}`);
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${option} ${text} is not a whole number: write it as in ${option} 7`);
  return Number(text);
}
