import type { Call, CallCursor, CallFilter } from '@outdial/calls';
import {
  CALL_STATUSES,
  e164Schema,
  endedReasons,
  matchesCallSearch,
  parseCallSearch,
  type AccountId,
  type CallId,
  type CallStatus,
  type EndedReason,
} from '@outdial/contracts';
import { assert, asyncProperty, constantFrom, integer, option, record } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertEndedCalls, moveCallsToNewAgent } from '../../test/many-calls.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { countEndedCalls } from '../totals/count-ended-calls.ts';

let world: World;
let party: Party;
let stranger: Party;
let all: readonly Call[];

beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
  stranger = await world.party();
  // Three calls share each moment, so that pages also break within a moment.
  await insertEndedCalls(world.database, [party, stranger], 240);
  await moveCallsToNewAgent(world.database, party.accountId, 3);
  await world.database.side.$executeRaw`
    UPDATE calls SET metadata = json_build_object('order', abs(hashtext(id::text)) % 7, 'Team', 'North',
      'other', CASE WHEN abs(hashtext(id::text)) % 3 = 0 THEN '3' END)`;
  await Promise.all(Array.from({ length: 4 }, () => world.queued(party, { metadata: { order: 3 } })));
  // Some calls are counted, some are not, and some are open: each is found where it is.
  await world.database.side.$executeRaw`SELECT recount_calls()`;
  await countEndedCalls(world.database);
  await world.database.side.$executeRaw`
    WITH undone AS (DELETE FROM call_terms WHERE abs(hashtext(call_id::text)) % 4 = 0 RETURNING account_id, call_id)
    INSERT INTO uncounted_calls SELECT DISTINCT account_id, call_id FROM undone`;
  await world.claimed(party);
  all = await world.reader.list({ accountId: party.accountId, filter: {}, after: null, limit: 1_000 });
});
afterAll(() => world.close());

async function readAll(accountId: AccountId, filter: CallFilter, limit: number, betweenPages = async () => {}) {
  const ids: CallId[] = [];
  let after: CallCursor | null = null;
  for (;;) {
    const page: readonly Call[] = await world.reader.list({ accountId, filter, after, limit });
    expect(page.length).toBeLessThanOrEqual(limit);
    ids.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (!last || page.length < limit) return ids;
    after = { createdAtMs: last.createdAtMs, callId: last.id };
    await betweenPages();
  }
}

/** A generated filter: its numbers select values that the calls really have. */
interface Drawn {
  readonly status: CallStatus | null;
  readonly agent: number | null;
  readonly number: number | null;
  readonly endedReason: EndedReason | null;
  readonly search: string | null;
  readonly after: number | null;
  readonly before: number | null;
}

const someCall = option(integer({ min: 0, max: 1_000 }));
const filters = record<Drawn>({
  status: option(constantFrom(...CALL_STATUSES)),
  agent: someCall,
  number: someCall,
  endedReason: option(constantFrom(...endedReasons)),
  search: option(
    constantFrom(
      '0100',
      '555-00',
      '+1 202 555 01',
      '202',
      '(555) 9',
      'order=3',
      '3',
      'north',
      'team=NORTH',
      '99999',
      'id',
    ),
  ),
  after: someCall,
  before: someCall,
});

const pick = (index: number | null) => (index === null ? undefined : all[index % all.length]);

function toFilter(drawn: Drawn): CallFilter {
  const [agent, number, after, before] = [drawn.agent, drawn.number, drawn.after, drawn.before].map(pick);
  return {
    ...(drawn.status && { status: drawn.status }),
    ...(agent && { agentId: agent.agentId }),
    ...(number && { calleeNumber: number.calleeNumber }),
    ...(drawn.endedReason && { endedReason: drawn.endedReason }),
    ...(drawn.search !== null && {
      search: parseCallSearch(drawn.search === 'id' ? (all[5]?.id ?? '') : drawn.search),
    }),
    ...(after && { createdAfterMs: after.createdAtMs }),
    ...(before && { createdBeforeMs: before.createdAtMs }),
  };
}

function matches(call: Call, filter: CallFilter): boolean {
  const { status, agentId, calleeNumber, endedReason, search, createdAfterMs, createdBeforeMs } = filter;
  return (
    (status === undefined || call.status === status) &&
    (agentId === undefined || call.agentId === agentId) &&
    (calleeNumber === undefined || call.calleeNumber === calleeNumber) &&
    (endedReason === undefined || (call.status === 'ended' && call.endedReason === endedReason)) &&
    (search === undefined ||
      matchesCallSearch({ id: call.id, callee_number: call.calleeNumber, metadata: call.metadata }, search)) &&
    (createdAfterMs === undefined || call.createdAtMs > createdAfterMs) &&
    (createdBeforeMs === undefined || call.createdAtMs < createdBeforeMs)
  );
}

test('the whole list is newest first, by id within a moment', () => {
  expect(all).toHaveLength(125);
  const order = all.map(({ createdAtMs, id }) => [createdAtMs, id] as const);
  const sorted = order.toSorted(([at, id], [otherAt, otherId]) => otherAt - at || (id < otherId ? 1 : -1));
  expect(order).toEqual(sorted);
});

test('pages of any size, with any filter, have every matching call once and in order', async () => {
  await assert(
    asyncProperty(filters, integer({ min: 1, max: 60 }), async (drawn: Drawn, limit) => {
      const filter = toFilter(drawn);
      const expected = all.filter((call) => matches(call, filter)).map(({ id }) => id);
      expect(await readAll(party.accountId, filter, limit)).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test('calls that are created between pages neither hide nor repeat another call', async () => {
  const reader = await world.party();
  await insertEndedCalls(world.database, [reader], 60);
  const before = await readAll(reader.accountId, {}, 100);
  const calleeNumber = e164Schema.parse('+493012345');
  const seen = await readAll(reader.accountId, {}, 7, async () => void (await world.queued(reader, { calleeNumber })));
  expect(seen).toEqual(before);
});

test("another account's calls are on no page, with any filter", async () => {
  await assert(
    asyncProperty(filters, async (drawn: Drawn) => {
      const page = await world.reader.list({
        accountId: stranger.accountId,
        filter: toFilter(drawn),
        after: null,
        limit: 200,
      });
      expect(page.filter(({ accountId }) => accountId !== stranger.accountId)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
