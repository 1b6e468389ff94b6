import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertEndedCalls } from '../../test/many-calls.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { createAnalysisStore } from './analysis-store.ts';
import { nextStatement } from './next-analysis.ts';

const BACKLOG = 20_000;
let world: World;
let parties: readonly Party[];

beforeAll(async () => {
  world = await createWorld();
  const created = await Promise.all(Array.from({ length: 40 }, () => world.party()));
  parties = created.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
  for (const [index, party] of parties.entries()) {
    await insertEndedCalls(world.database, [party], index === 20 ? BACKLOG : 3);
  }
  await world.database.side.$executeRaw`
    INSERT INTO model_calls (call_id, driver, analysis_status, analysis_due_at)
    SELECT id, 'realtime', 'pending', now() - interval '1 minute' FROM calls`;
  await world.database.side.$executeRaw`VACUUM ANALYZE model_calls`;
});
afterAll(() => world.close());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (plan: PlanNode): readonly PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
const accountAt = (index: number) => parties.at(index)?.accountId ?? expect.fail('there are 40 accounts');

async function accountOf(callId: string | null) {
  const [row] = await world.database.side.$queryRaw<{ id: string }[]>`
    SELECT account_id::text AS id FROM calls WHERE id = ${callId}::uuid`;
  return row?.id;
}

test('the turn goes around all accounts, past those that have their share', async () => {
  const store = createAnalysisStore(world.database);
  const turnAfter = async (index: number, except: readonly number[] = []) =>
    accountOf(await store.next({ after: accountAt(index), except: except.map(accountAt) }));
  expect(await accountOf(await store.next({ after: null, except: [] }))).toBe(accountAt(0));
  expect(await turnAfter(19)).toBe(accountAt(20));
  expect(await turnAfter(20)).toBe(accountAt(21));
  expect(await turnAfter(19, [20, 21])).toBe(accountAt(22));
  expect(await turnAfter(39)).toBe(accountAt(0));
  expect(await store.next({ after: null, except: parties.map(({ accountId }) => accountId) })).toBeNull();
});

test('the turn is found by the index, and a backlog of one account costs nothing', async () => {
  // All but the last account have their share: the longest way.
  const { text, values } = nextStatement({
    after: null,
    except: parties.slice(0, -1).map(({ accountId }) => accountId),
  });
  const [row] = await world.database.side.$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
    ...values,
  );
  const plan = row?.['QUERY PLAN'][0].Plan ?? expect.fail('EXPLAIN answers');
  const nodes = nodesOf(plan);
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  expect(new Set(nodes.flatMap((node) => node['Index Name'] ?? []))).toEqual(
    new Set(['model_calls_pending_analysis_account_idx']),
  );
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(parties.length * 8);
});
