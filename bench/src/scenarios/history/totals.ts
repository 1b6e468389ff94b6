import {
  countEndedCalls,
  createCallReader,
  createDatabase,
  openOwnAccount,
  type StepBounds,
} from '@outdial/persistence';
import { accountIdSchema, parseCallSearch } from '@outdial/contracts';
import { median, type Figure } from '../../report.ts';

const SAMPLES = 30;
const DAY_MS = 86_400_000;
const GOAL_MS = 100;

/** Reads of the totals, and searches, for the account that owns most of a million calls. */
export async function measureTotals(
  databaseUrl: string,
  { accountId, someNumber }: { readonly accountId: string; readonly someNumber: string },
): Promise<readonly Figure[]> {
  const database = createDatabase({ url: databaseUrl, queryTimeoutMs: 600_000 });
  try {
    await countEndedCalls(database);
    await database.side.$executeRaw`VACUUM ANALYZE`;
    const id = accountIdSchema.parse(accountId);
    const account = openOwnAccount(database, {
      accountId: id,
      actor: 'bench',
      bounds: { apiKeys: 100, agents: 100, credentials: 1, secrets: 1 },
    });
    const reader = createCallReader(database);
    const find = (text: string) => () =>
      reader.list({ accountId: id, filter: { search: parseCallSearch(text) }, after: null, limit: 50 });
    return [
      await timed('overview of 90 days', () => account.totals(ninetyDays(Date.now()))),
      await timed('search: the end of a number', find(someNumber.slice(-6))),
      await timed('search: digits of many numbers', find('202')),
      await timed('search: digits of no number', find('98765')),
      await timed('search: metadata that no call has', find('order=1042')),
    ];
  } finally {
    await database.close();
  }
}

function ninetyDays(nowMs: number): StepBounds {
  const lastMs = Math.ceil(nowMs / DAY_MS) * DAY_MS;
  const [first = 0, second = 0, ...rest] = Array.from({ length: 91 }, (_, day) => lastMs - (90 - day) * DAY_MS);
  return [first, second, ...rest];
}

async function timed(name: string, work: () => Promise<unknown>): Promise<Figure> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const startedMs = performance.now();
    await work();
    samples.push(performance.now() - startedMs);
  }
  return {
    name: `${name}, 1 million stored calls`,
    value: median(samples),
    unit: 'ms',
    goal: { atMost: GOAL_MS },
    absolute: { 'most ms': Math.max(...samples) },
  };
}
