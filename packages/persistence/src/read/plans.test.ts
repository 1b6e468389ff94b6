import type { CallFilter } from '@outdial/calls';
import { agentIdSchema, callIdSchema, e164Schema, type AccountId } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertEndedCalls, moveCallsToNewAgent } from '../../test/many-calls.ts';
import { createWorld, type World } from '../../test/world.ts';
import { DETAILS, pageStatement } from './call-page.ts';
import type { ListInput } from './list-conditions.ts';

const CALLS = 100_000;
let world: World;
let large: AccountId;
let small: AccountId;
let rareAgent: string;
let middleMs: number;

beforeAll(async () => {
  world = await createWorld();
  const [first, second] = [await world.party(), await world.party()];
  large = first.accountId;
  small = second.accountId;
  await insertEndedCalls(world.database, [first], CALLS);
  await insertEndedCalls(world.database, [second], 100);
  rareAgent = await moveCallsToNewAgent(world.database, large, 500);
  for (let count = 0; count < 5; count += 1) await world.queued(first);
  await world.claimed(first);
  await world.database.side.$executeRaw`VACUUM ANALYZE calls`;
  middleMs = Date.now() - Math.round(CALLS / 6) * 1_000;
});
afterAll(() => world.close());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Parent Relationship'?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The nodes that find the calls, without lookups by key for a call that was found (`SubPlan`). */
const pathOf = (plan: PlanNode): readonly PlanNode[] => [
  plan,
  ...(plan.Plans ?? []).filter((part) => part['Parent Relationship'] !== 'SubPlan').flatMap(pathOf),
];
const nodesOf = (plan: PlanNode): readonly PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const statementOf = (input: ListInput) => pageStatement(DETAILS.whole, { ...input, maxBytes: 1_000_000 });

/** Runs a prepared statement with a generic plan: the worst plan that Postgres may use. */
async function genericPlan(input: ListInput): Promise<PlanNode> {
  const { text, values } = statementOf(input);
  const literals = values.map((value) => `'${String(value)}'`).join(', ');
  return world.database.side.$transaction(async (transaction) => {
    await transaction.$executeRawUnsafe(`SET LOCAL plan_cache_mode = force_generic_plan`);
    await transaction.$executeRawUnsafe(`PREPARE listing AS ${text}`);
    const explain = `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE listing(${literals})`;
    const [row] = await transaction.$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(explain);
    await transaction.$executeRawUnsafe('DEALLOCATE listing');
    if (!row) throw new Error('EXPLAIN answers');
    return row['QUERY PLAN'][0].Plan;
  });
}

/** Planned for its own parameters, as it is sent. */
async function customPlan(input: ListInput): Promise<PlanNode> {
  const { text, values } = statementOf(input);
  const explain = `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`;
  const [row] = await world.database.side.$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(explain, ...values);
  if (!row) throw new Error('EXPLAIN answers');
  return row['QUERY PLAN'][0].Plan;
}

const FILTERS: Record<string, () => CallFilter> = {
  'no filter': () => ({}),
  'status ended': () => ({ status: 'ended' }),
  'status queued': () => ({ status: 'queued' }),
  'status dialing': () => ({ status: 'dialing' }),
  'a common agent': () => ({ agentId: agentIdSchema.parse(rareAgent) }),
  'an unknown agent': () => ({ agentId: agentIdSchema.parse('00000000-0000-4000-8000-000000000000') }),
  'a number': () => ({ calleeNumber: e164Schema.parse('+12025550123') }),
  'an unknown number': () => ({ calleeNumber: e164Schema.parse('+4930123456') }),
  'a common reason': () => ({ endedReason: 'agent_hangup' }),
  'a reason that never occurred': () => ({ endedReason: 'no_audio' }),
  'a time before': () => ({ createdBeforeMs: middleMs }),
  'a time after': () => ({ createdAfterMs: middleMs }),
  'a span of time': () => ({ createdAfterMs: middleMs - 60_000, createdBeforeMs: middleMs }),
};

/** A page of 20 rows with what models did and when it is dialed, the levels of the indexes and some of its pages: independent of the number of calls. */
const MAX_BLOCKS = 200;

describe.each([
  ['planned for its parameters', customPlan],
  ['with a generic plan', genericPlan],
])('a page is an index scan without a sort, %s', (_, explain) => {
  describe.each([
    ['the large account', () => large],
    ['the small account', () => small],
  ])('of %s', (__, account) => {
    test.each(Object.entries(FILTERS))('%s', async (___, filter) => {
      const cursors = [
        null,
        { createdAtMs: middleMs, callId: callIdSchema.parse('ffffffff-ffff-4fff-bfff-ffffffffffff') },
        {
          createdAtMs: middleMs - Math.round(CALLS / 6) * 950,
          callId: callIdSchema.parse('7fffffff-ffff-4fff-bfff-ffffffffffff'),
        },
      ];
      for (const after of cursors) {
        const plan = await explain({ accountId: account(), filter: filter(), after, limit: 20 });
        const types = pathOf(plan).map((node) => node['Node Type']);
        // The window function that adds up the bytes keeps the index order.
        expect(types.slice(-2)).toEqual(['Limit', 'Index Scan']);
        expect(types.filter((type) => type.includes('Sort'))).toEqual([]);
        expect((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)).toBeLessThan(MAX_BLOCKS);
      }
    });
  });
});

test('the overview reads open calls only', async () => {
  const [row] = await world.database.side.$queryRaw<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>`
    EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON)
    SELECT sum(c.hold_micros), count(*) FROM calls c WHERE c.account_id = ${large}::uuid AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL`;
  const plan = row?.['QUERY PLAN'][0].Plan;
  expect(plan && nodesOf(plan).map((node) => node['Index Name'])).toContain('calls_held_idx');
  expect((plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)).toBeLessThan(30);
});
