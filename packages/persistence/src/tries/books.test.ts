import { createUsageMeter, type ConductedCall } from '@outdial/calls';
import { micros, tryIdSchema, type TryId, type UsageEntry } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, newReservationId, type Party, type World } from '../../test/world.ts';
import { createTryStore } from './create-try-store.ts';
import type { TryStore } from './try-store.ts';

const FUNDS = 1_000_000_000;
const MODEL = { component: 'llm', provider: 'openai', model: 'gpt-5-mini' } as const;
const UNITS = ['input_text_token', 'cached_input_text_token', 'output_text_token'] as const;

let world: World;
let store: TryStore;
beforeAll(async () => {
  world = await createWorld();
  store = createTryStore(world.database);
});
afterAll(() => world.close());

interface Books {
  readonly isOwn: boolean;
  /** By unit. */
  readonly prices: readonly number[];
  readonly hold: number;
  readonly reports: readonly { readonly unit: number; readonly quantity: number; readonly isRenewed: boolean }[];
  /** `lost`: another worker ends it with what was renewed. `twice`: the answer of the last statement is lost. */
  readonly end: 'once' | 'twice' | 'lost';
}

const books: fc.Arbitrary<Books> = fc.record({
  isOwn: fc.boolean(),
  prices: fc.array(fc.nat(70_000_000), { minLength: 3, maxLength: 3 }),
  hold: fc.oneof(fc.nat(50_000), fc.constant(100_000_000)),
  reports: fc.array(fc.record({ unit: fc.nat(2), quantity: fc.nat(20_000), isRenewed: fc.boolean() }), {
    maxLength: 12,
  }),
  end: fc.constantFrom('once' as const, 'twice' as const, 'lost' as const),
});

const conductedBy = ({ isOwn, prices }: Books): ConductedCall => ({
  driver: 'cascade',
  models: [{ ...MODEL, credentialId: 'c', isOwn, isFallback: false }],
  // Own credentials stay free even where the deck has a price.
  rates: UNITS.map((unit, index) => ({ ...MODEL, unit, priceMicrosPerMillion: micros(prices[index] ?? 0) })),
  estimateMicrosPerMinute: micros(0),
});

async function begun({ accountId, agentId }: Party, scenario: Books): Promise<TryId> {
  const { driver, models, rates } = conductedBy(scenario);
  const tryId = tryIdSchema.parse(randomUUID());
  const of = {
    tryId,
    accountId,
    agentId,
    agentVersion: 1,
    medium: 'text' as const,
    userId: null,
    driver,
    models,
    rates,
    variables: {},
  };
  const holdMicros = micros(scenario.isOwn ? 0 : scenario.hold);
  expect((await store.begin({ ...of, holdMicros, reservationId: newReservationId() })).kind).toBe('begun');
  return tryId;
}

async function claimed(tryId: TryId) {
  const claim = await store.claim({ tryId, leaseMs: 60_000 });
  return claim.kind === 'claimed' ? claim.job : expect.fail(`the try is ${claim.kind}`);
}

/** Runs the try. Returns the quantities that its last statement knew, by unit. */
async function play(tryId: TryId, scenario: Books): Promise<readonly number[]> {
  const job = await claimed(tryId);
  const meter = createUsageMeter(conductedBy(scenario), systemClock);
  const used = () => {
    const { entries = [], costMicros = micros(0) } = meter.report() ?? {};
    return { usage: entries, costMicros: costMicros < job.holdMicros ? costMicros : job.holdMicros };
  };
  const seen = UNITS.map(() => 0);
  let renewed = [...seen];
  for (const { unit, quantity, isRenewed } of scenario.reports) {
    meter.add([{ ...MODEL, unit: UNITS[unit] ?? UNITS[0], quantity }]);
    seen[unit] = (seen[unit] ?? 0) + quantity;
    if (!isRenewed) continue;
    await store.renew({ tryId, lease: job.lease, leaseMs: 60_000, ...used() });
    renewed = [...seen];
  }
  const token = await world.reconciles.currentToken();
  if (scenario.end === 'lost') {
    await world.database.side.$executeRaw`UPDATE agent_tries SET lease_until = now() WHERE id = ${tryId}::uuid`;
    const { lease, usage, costMicros } = await claimed(tryId);
    expect((await store.finish({ tryId, lease, reason: 'worker_lost', usage, costMicros, token })).kind).toBe(
      'finished',
    );
  }
  const end = { tryId, lease: job.lease, reason: 'agent_hangup' as const, ...used(), token };
  expect((await store.finish(end)).kind).toBe(scenario.end === 'lost' ? 'fenced' : 'finished');
  if (scenario.end === 'twice') expect((await store.finish(end)).kind).toBe('fenced');
  return scenario.end === 'lost' ? renewed : seen;
}

/** With quotient and remainder, not by the formula of the code. */
function expectedCost({ isOwn, prices, hold }: Books, quantities: readonly number[]): bigint {
  if (isOwn) return 0n;
  const cost = quantities.reduce((sum, quantity, index) => {
    const product = BigInt(quantity) * BigInt(prices[index] ?? 0);
    return sum + product / 1_000_000n + (product % 1_000_000n === 0n ? 0n : 1n);
  }, 0n);
  return cost < BigInt(hold) ? cost : BigInt(hold);
}

async function booksOf({ accountId }: Party) {
  const [row] = await world.database.side.$queryRaw<
    { balance: bigint; ledger: bigint; charges: bigint[]; usage: UsageEntry[]; cost: bigint }[]
  >`
    SELECT w.balance_micros AS balance, t.usage, t.cost_micros AS cost,
      (SELECT sum(e.amount_micros) FROM ledger_entries e WHERE e.account_id = w.account_id)::bigint AS ledger,
      ARRAY(SELECT e.amount_micros FROM ledger_entries e
            WHERE e.account_id = w.account_id AND e.kind = 'try_charge' ORDER BY e.id) AS charges
    FROM wallets w JOIN agent_tries t ON t.account_id = w.account_id WHERE w.account_id = ${accountId}::uuid`;
  return row ?? expect.fail('the account has a wallet and a try');
}

test('a try is charged once what its model used, at most its hold, and nothing on an own credential', async () => {
  await fc.assert(
    fc.asyncProperty(books, async (scenario) => {
      const party = await world.party(FUNDS);
      const quantities = await play(await begun(party, scenario), scenario);
      const cost = expectedCost(scenario, quantities);
      const { usage, charges, ...sums } = await booksOf(party);
      const balance = BigInt(FUNDS) - cost;
      expect(sums).toEqual({ cost, balance, ledger: balance });
      // Quantities are shown on own credentials too.
      const shown = Object.fromEntries(usage.map(({ unit, quantity }) => [unit, quantity]));
      expect(UNITS.map((unit) => shown[unit] ?? 0)).toEqual(quantities);
      expect(charges).toEqual(usage.length > 0 ? [-cost] : []);
    }),
    { numRuns: 40 },
  );
}, 120_000);
