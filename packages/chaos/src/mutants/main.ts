import { parseArgs } from 'node:util';
import { orUsage, privatePostgres, privateRedis } from '@outdial/testkit';
import type { Mutant, Proof } from './mutant.ts';
import { MutantRunner } from './mutant-runner.ts';
import { MUTANTS } from './mutants.ts';

const say = (text: string) => void process.stdout.write(`${text}\n`);

const USAGE = `Usage: npm run chaos:mutants [-- --only <mutant>] [--search <seeds>]

Removes one safeguard at a time, and shows that the model or a drill then breaks a promise.

  --only <mutant>   only this mutant; may be repeated
  --search <seeds>  looks for a seed that kills the mutant, among so many

Mutants:
  ${Object.keys(MUTANTS).join('\n  ')}`;

const { chosen, search } = orUsage(USAGE, () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: Object.keys(MUTANTS) },
      /** Searches for another seed, for when the product or the model has changed. */
      search: { type: 'string' },
    },
  });
  return {
    chosen: values.only.map(mutantOf),
    search: values.search === undefined ? undefined : seedCount(values.search),
  };
});

/** Each mostly waits for servers, so several at once take no longer than one. */
const AT_ONCE = 3;

const [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
const servers = { redisUrl: redis.url, databaseUrl: postgres.url };
try {
  const waiting = [...chosen];
  const survivors: string[] = [];
  const work = async (pair: number) => {
    const runner = new MutantRunner(servers, pair);
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { name } = next;
      const killed = await isKilled(next, runner).catch((error: unknown) => {
        say(`${name}\n  could not be run: ${String(error)}`);
        return false;
      });
      if (!killed) survivors.push(name);
    }
    await runner.close();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, pair) => work(pair)));
  say(`${chosen.length - survivors.length} of ${chosen.length} mutants were detected.`);
  if (survivors.length > 0) {
    say(`Not detected: ${survivors.join(', ')}. Another seed may detect it: --search 200 --only <name>`);
    process.exitCode = 1;
  }
} finally {
  await Promise.all([redis.close(), postgres.close()]);
}

type NamedMutant = Mutant & { readonly name: string };

async function isKilled(mutant: NamedMutant, runner: MutantRunner): Promise<boolean> {
  const { name, guarantee } = mutant;
  const broken = await runner.run(mutant, search);
  const [violation] = broken?.violations ?? [];
  const how = violation ? [violation.promise, violation.detail].filter(Boolean).join(': ') : 'NOTHING';
  say(`${name}\n  test   ${guarantee}\n  by     ${broken?.proof ?? shown(mutant)}\n  breaks ${how.slice(0, 160)}`);
  return violation !== undefined;
}

/** Hoisted: the mutants run before the module has been read to its end. */
function shown(proof: Proof): string {
  return proof.drill ?? `${proof.profile} ${proof.seed}`;
}

function mutantOf(name: string): NamedMutant {
  const mutant = MUTANTS[name];
  if (!mutant) throw new Error(`There is no mutant "${name}". There are: ${Object.keys(MUTANTS).join(', ')}`);
  return { ...mutant, name };
}

function seedCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`--search ${text} is not a number of seeds: write it as in --search 200`);
  return Number(text);
}
