import {
  EVALUATION_LIMITS,
  evaluationIdSchema,
  evaluationLlmSchema,
  evaluationRunIdSchema,
  micros,
  scenarioSchema,
  tryIdSchema,
  type Micros,
} from '@outdial/contracts';
import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginSecondLeg } from '../../test/second-leg.ts';
import { createWorld, newReservationId, type Party, type World } from '../../test/world.ts';
import { createTryStore } from '../tries/create-try-store.ts';
import type { TryStore } from '../tries/try-store.ts';
import { createEvaluationStore } from './create-evaluation-store.ts';
import type { EvaluationStore, RunJob } from './evaluation-store.ts';

const FUNDS = 1_000_000_000;
const LLM = evaluationLlmSchema.parse({ provider: 'openai', model: 'gpt-5-mini' });
const USED = { component: 'llm', provider: 'openai', model: 'gpt-5-mini' } as const;
const MODEL = { ...USED, credentialId: 'c', isFallback: false } as const;

let world: World;
let store: EvaluationStore;
let tries: TryStore;
beforeAll(async () => {
  world = await createWorld();
  store = createEvaluationStore(world.database);
  tries = createTryStore(world.database);
});
afterAll(() => world.close());

function newEvaluation({ accountId, agentId }: Party, count: number, holdMicros = 1_000_000) {
  const runs = Array.from({ length: count }, (_, index) => ({
    runId: evaluationRunIdSchema.parse(randomUUID()),
    scenario: scenarioSchema.parse({ name: `s${index}`, persona: { kind: 'scripted', lines: ['Yes.'] } }),
    driver: 'cascade' as const,
    models: [{ ...MODEL, isOwn: false }],
    rates: [],
    holdMicros: micros(holdMicros),
    reservationId: newReservationId(),
  }));
  const evaluationId = evaluationIdSchema.parse(randomUUID());
  return { evaluationId, accountId, agentId, agentVersion: 1, llm: LLM, runs, idempotency: null };
}

async function begun(party: Party, count: number, holdMicros?: number) {
  const input = newEvaluation(party, count, holdMicros);
  expect((await store.begin(input)).kind).toBe('begun');
  return { ...input, ids: input.runs.map(({ runId }) => runId) };
}

type Begun = Awaited<ReturnType<EvaluationStore['beginRun']>>;

function jobOf(outcome: Begun | undefined): RunJob {
  return outcome?.kind === 'begun' ? outcome.job : expect.fail(`the run is ${outcome?.kind}`);
}

const beginRun = (runId: RunJob['runId'], leaseMs = 60_000) => store.beginRun({ runId, leaseMs });
const result = { verdict: 'passed', problem: null, endedReason: 'max_turns', judgments: [], transcript: [] } as const;

test('of runs that begin together, as many begin as an account may have, each once, and its neighbor’s too', async () => {
  const [party, neighbor] = [await world.party(FUNDS), await world.party(FUNDS)];
  const { ids } = await begun(party, 6);
  const other = await begun(neighbor, 1);
  // The oldest of the account, as many as may begin.
  expect(await store.startable({ accountId: party.accountId, limit: 10 })).toEqual(
    ids.slice(0, EVALUATION_LIMITS.running),
  );
  const outcomes = await Promise.all([...ids, ...ids, ...other.ids].map((runId) => beginRun(runId)));
  const kinds = outcomes.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'begun')).toHaveLength(EVALUATION_LIMITS.running + 1);
  expect(kinds.at(-1)).toBe('begun');
  expect(await world.database.side.agentTry.count({ where: { accountId: party.accountId } })).toBe(
    EVALUATION_LIMITS.running,
  );
  expect(await store.startable({ accountId: party.accountId, limit: 10 })).toEqual([]);
});

test('of evaluations that begin together, as many begin as an account may have open', async () => {
  const party = await world.party(FUNDS);
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => store.begin(newEvaluation(party, 1))));
  expect(outcomes.filter(({ kind }) => kind === 'begun')).toHaveLength(EVALUATION_LIMITS.open);
  expect(outcomes.filter(({ kind }) => kind === 'too_many')).toHaveLength(8 - EVALUATION_LIMITS.open);
});

test('runs are no tries of people: they leave an account its tries, and no route of tries finds them', async () => {
  const party = await world.party(FUNDS);
  const { ids } = await begun(party, 2);
  const jobs = await Promise.all(ids.map((runId) => beginRun(runId)));
  const { driver, models, rates } = newEvaluation(party, 1).runs[0] ?? expect.fail('it has a run');
  const { accountId, agentId } = party;
  const tryId = jobOf(jobs[0]).tryId;
  expect(await tries.find({ accountId, agentId, tryId })).toBeNull();
  const of = { accountId, agentId, agentVersion: 1, driver, models, rates, variables: {}, holdMicros: micros(1) };
  const mine = {
    ...of,
    medium: 'text' as const,
    userId: null,
    tryId: tryIdSchema.parse(randomUUID()),
    reservationId: newReservationId(),
  };
  expect((await tries.begin(mine)).kind).toBe('begun');
});

test('a run that the account cannot pay for any more ends with the reason, and holds nothing', async () => {
  const party = await world.party(1_500_000);
  const { ids, evaluationId } = await begun(party, 2);
  const kinds = [];
  for (const runId of ids) kinds.push((await beginRun(runId)).kind);
  expect(kinds).toEqual(['begun', 'ended']);
  const found = await store.find({ ...party, evaluationId });
  expect(found?.runs.map(({ problem }) => problem)).toEqual([null, 'insufficient_funds']);
});

test('a result is stored once, by the worker that has the lease', async () => {
  const { ids } = await begun(await world.party(FUNDS), 1);
  const [runId] = ids;
  if (runId === undefined) throw new Error('it has a run');
  const job = jobOf(await beginRun(runId));
  expect(await store.endRun({ runId, lease: randomUUID(), ...result })).toBe('fenced');
  const transcript = [{ kind: 'agent', text: 'cut \u0000 \ud83d' }] as const;
  expect(await store.endRun({ runId, lease: job.lease, ...result, transcript })).toBe('written');
  expect(await store.endRun({ runId, lease: job.lease, ...result })).toBe('fenced');
});

const ends = fc.array(
  fc.record({
    cost: fc.nat(1_000_000),
    /** `lost`: the worker dies after its renewal. `unpaid`: after its result. `twice`: the charge is repeated. */
    end: fc.constantFrom('once' as const, 'twice' as const, 'lost' as const, 'unpaid' as const),
  }),
  { minLength: 1, maxLength: 4 },
);

test('whatever becomes of its workers, each run is charged once, and the costs add up to the balance', async () => {
  await fc.assert(
    fc.asyncProperty(ends, async (runs) => {
      const party = await world.party(FUNDS);
      const { ids, evaluationId } = await begun(party, runs.length);
      const token = await world.reconciles.currentToken();
      for (const [index, { cost, end }] of runs.entries()) {
        const runId = ids[index] ?? expect.fail('it has as many runs');
        const job = jobOf(await beginRun(runId));
        const usage = [{ ...USED, unit: 'output_text_token' as const, quantity: 1 }];
        const used = { usage, costMicros: micros(cost) };
        const { tryId, lease } = job;
        expect(await store.renewRun({ tryId, lease, leaseMs: 60_000, ...used })).toBe('written');
        const finish = { tryId, lease, reason: 'agent_hangup' as const, ...used, token };
        if (end !== 'lost') expect(await store.endRun({ runId, lease, ...result })).toBe('written');
        if (end === 'once' || end === 'twice') expect((await tries.finish(finish)).kind).toBe('finished');
        if (end === 'lost' || end === 'unpaid') await endLost(job, used, token);
        if (end !== 'once') expect((await tries.finish(finish)).kind).toBe('fenced');
        await store.endLostRuns();
      }
      const found = await store.find({ ...party, evaluationId });
      const expected = runs.reduce((sum, { cost }) => sum + BigInt(cost), 0n);
      expect(found).toMatchObject({ ended: runs.length, costMicros: expected });
      expect(found?.runs.map(({ problem }) => problem)).toEqual(
        runs.map(({ end }) => (end === 'lost' ? 'worker_lost' : null)),
      );
      const [books] = await world.database.side.$queryRaw<{ balance: bigint; ledger: bigint; charges: number }[]>`
        SELECT w.balance_micros AS balance,
          (SELECT sum(e.amount_micros) FROM ledger_entries e WHERE e.account_id = w.account_id)::bigint AS ledger,
          (SELECT count(*) FROM ledger_entries e WHERE e.account_id = w.account_id AND e.kind = 'try_charge')::int AS charges
        FROM wallets w WHERE w.account_id = ${party.accountId}::uuid`;
      const balance = BigInt(FUNDS) - expected;
      expect(books).toEqual({ balance, ledger: balance, charges: runs.length });
    }),
    { numRuns: 12 },
  );
}, 60_000);

/** As a sweep of another worker does. */
async function endLost(
  { tryId }: RunJob,
  renewed: { readonly costMicros: Micros },
  token: Parameters<TryStore['finish']>[0]['token'],
) {
  await world.database.side.$executeRaw`UPDATE agent_tries SET lease_until = now() WHERE id = ${tryId}::uuid`;
  const claim = await tries.claim({ tryId, leaseMs: 60_000 });
  if (claim.kind !== 'claimed') throw new Error(`the try is ${claim.kind}`);
  const { lease, usage, costMicros } = claim.job;
  expect(costMicros).toBe(renewed.costMicros);
  expect((await tries.finish({ tryId, lease, reason: 'worker_lost', usage, costMicros, token })).kind).toBe('finished');
}

test('funds that the second leg of a call holds begin no evaluation', async () => {
  const party = await world.party(10_000_000);
  const call = await world.claimed(party);
  await beginSecondLeg(world, call, 9_000_000);
  expect(await store.begin(newEvaluation(party, 1, 2_000_000))).toMatchObject({ kind: 'insufficient_funds' });
});
