import type { AccountId, AgentId, EvaluationRunId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEvaluationStage, PATIENT_SCENARIO, scripted, USELESS, type EvaluationStage } from './evaluation-stage.ts';

let stage: EvaluationStage;
beforeAll(async () => {
  stage = await openEvaluationStage();
});
afterAll(() => stage.close());

const START = 100_000_000n;
type Account = Awaited<ReturnType<EvaluationStage['account']>>;
const of = ({ id, agentId }: Account): { readonly accountId: AccountId; readonly agentId: AgentId } => ({
  accountId: id,
  agentId,
});

async function evaluated(account: Account, scenarios: readonly object[], own: readonly number[] = []) {
  const { evaluationId, runs } = await stage.begin({ ...of(account), scenarios, own });
  for (const runId of runs) expect(await stage.run(runId)).toEqual({ kind: 'done' });
  return stage.show(account.id, account.agentId, evaluationId);
}
function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  invariant(item !== undefined, 'there is one');
  return item;
}

async function started(runId: EvaluationRunId): Promise<void> {
  await expect
    .poll(async () => (await stage.database.side.evaluationRun.findUnique({ where: { id: runId } }))?.tryId ?? null)
    .not.toBeNull();
}

test('an agent that meets the criteria passes, with a persona that a model plays, and is charged once', async () => {
  const account = await stage.account();
  const found = await evaluated(account, [PATIENT_SCENARIO]);
  const run = first(found.runs);
  expect(run).toMatchObject({ verdict: 'passed', problem: null, endedReason: 'persona_hangup' });
  expect(run.transcript).toEqual([
    { kind: 'agent', text: 'Good morning Anna, this is the dental practice.' },
    { kind: 'callee', text: 'Do you have a slot on Tuesday?' },
    { kind: 'tool', name: 'free_slots', arguments: { day: 'Tuesday' }, result: '{"slots": ["9:00"]}', outcome: 'ok' },
    { kind: 'agent', text: 'There is a slot at nine.' },
    { kind: 'callee', text: 'I take it. Goodbye.' },
  ]);
  expect(run.judgments).toEqual([
    { criteria: 'The agent offers a slot.', passed: true, value: true, reason: 'The agent offered nine o’clock.' },
  ]);
  const { balance, ledger, charges, cost } = await stage.books(account.id);
  expect(cost).toBeGreaterThan(0n);
  expect([charges, balance, ledger, found.costMicros]).toEqual([[-cost], START - cost, balance, cost]);
  expect(await stage.holds()).toBe(0);
});

test('an agent that does not meet them fails, with the reason', async () => {
  const account = await stage.account({ instructions: USELESS });
  const run = first((await evaluated(account, [{ ...PATIENT_SCENARIO, max_turns: 2 }])).runs);
  expect(run).toMatchObject({ verdict: 'failed', problem: null, endedReason: 'max_turns' });
  expect(run.judgments).toMatchObject([{ passed: false, value: false, reason: 'The agent offered no slot.' }]);
  expect(run.transcript.filter(({ kind }) => kind === 'callee')).toHaveLength(2);
});

test('every criterion is judged, and a grade below its bound fails the conversation', async () => {
  const account = await stage.account();
  const graded = { criteria: 'It is polite.', scale: '1-10' };
  const criteria = [{ criteria: 'The agent offers a slot.' }, graded, { ...graded, passes_from: 6 }];
  const run = first((await evaluated(account, [{ ...PATIENT_SCENARIO, criteria }])).runs);
  expect(run.judgments.map(({ passed, value }) => [passed, value])).toEqual([
    [true, true],
    [false, 6],
    [true, 6],
  ]);
  expect(run.verdict).toBe('failed');
});

test('a scripted persona says its lines in order, a rule goes first, and it hangs up after the last line', async () => {
  const account = await stage.account();
  const persona = {
    kind: 'scripted',
    lines: ['Tuesday, {{name}} speaking.', 'Thanks.'],
    rules: [{ when: 'slot AT nine', say: 'At nine?' }],
  };
  const run = first((await evaluated(account, [scripted([], { persona, tool_results: { free_slots: '9:00' } })])).runs);
  expect(run.endedReason).toBe('persona_hangup');
  expect(run.transcript.flatMap((line) => (line.kind === 'callee' ? [line.text] : []))).toEqual([
    'Tuesday, Anna speaking.',
    'At nine?',
    'Thanks.',
  ]);
});

test('a tool without a result is not called: the agent reads that it was simulated', async () => {
  const account = await stage.account();
  const run = first((await evaluated(account, [scripted(['Is Tuesday free?', 'bye'])])).runs);
  expect(run.transcript.find(({ kind }) => kind === 'tool')).toMatchObject({
    name: 'free_slots',
    result: expect.stringContaining('simulated'),
  });
  expect(run).toMatchObject({ endedReason: 'agent_hangup', verdict: 'failed' });
});

test('own credentials cost nothing, and the operator’s are paid for, role by role', async () => {
  const free = await stage.account();
  await evaluated(free, [PATIENT_SCENARIO], [0, 1, 2]);
  expect((await stage.books(free.id)).charges).toEqual([0n]);
  const costs: bigint[] = [];
  for (const own of [[1, 2], [0, 2], [0, 1], []]) {
    const account = await stage.account();
    costs.push((await evaluated(account, [PATIENT_SCENARIO], own)).costMicros);
  }
  const [agent = 0n, judge = 0n, persona = 0n, all = 0n] = costs;
  expect(Math.min(...costs.map(Number))).toBeGreaterThan(0);
  expect(agent + judge + persona).toBe(all);
});

test('a run ends when its money is spent, and costs at most its hold', async () => {
  const account = await stage.account();
  const { evaluationId, runs } = await stage.begin({
    ...of(account),
    scenarios: [PATIENT_SCENARIO],
    holdMicros: 1_000n,
  });
  await stage.run(first(runs));
  const found = await stage.show(account.id, account.agentId, evaluationId);
  expect(found.runs).toMatchObject([{ verdict: 'errored', problem: 'insufficient_funds', costMicros: 1_000n }]);
  expect((await stage.books(account.id)).charges).toEqual([-1_000n]);
});

test('a run whose worker dies ends as lost, charged once for what was known, and the others go on', async () => {
  const account = await stage.account();
  const scenarios = [PATIENT_SCENARIO, { ...PATIENT_SCENARIO, name: 'Second' }];
  const { evaluationId, runs } = await stage.begin({ ...of(account), scenarios });
  const [lost, other] = runs;
  invariant(lost !== undefined && other !== undefined, 'there are two runs');
  // A worker that dies renews no lease.
  const begun = await stage.evaluations.beginRun({ runId: lost, leaseMs: 1 });
  invariant(begun.kind === 'begun', 'the run begins');
  const { tryId, lease } = begun.job;
  const used = {
    component: 'llm',
    provider: 'openai',
    model: 'gpt-simulated',
    unit: 'output_text_token',
    quantity: 7,
  } as const;
  const costMicros = begun.job.holdMicros;
  await stage.evaluations.renewRun({ tryId, lease, leaseMs: 1, usage: [used], costMicros });
  await expect.poll(() => stage.store.overdue({ waitMs: 1_000_000, limit: 10 })).toContain(tryId);
  await stage.sweep();
  await stage.sweepRuns();
  expect(stage.queued).toContain(other);
  await stage.run(other);
  // Delivered again: it is over.
  await stage.run(lost);
  const found = await stage.show(account.id, account.agentId, evaluationId);
  expect(found.runs).toMatchObject([
    { verdict: 'errored', problem: 'worker_lost', costMicros },
    { verdict: 'passed', problem: null },
  ]);
  // Its worker comes back too late.
  const late = { verdict: 'passed', problem: null, endedReason: null, judgments: [], transcript: [] } as const;
  expect(await stage.evaluations.endRun({ runId: lost, lease, ...late })).toBe('fenced');
  const { charges, balance } = await stage.books(account.id);
  expect([charges.length, charges[0], balance]).toEqual([
    2,
    0n - costMicros,
    START + charges.reduce((sum, one) => sum + one, 0n),
  ]);
  expect(await stage.holds()).toBe(0);
});

test('a worker that stops ends its run with a reason, and charges it', async () => {
  const account = await stage.account({ instructions: USELESS });
  const { evaluationId, runs } = await stage.begin({
    ...of(account),
    scenarios: [scripted(['Hello.', 'Wait forever.'])],
  });
  const stopping = new AbortController();
  const running = stage.run(first(runs), { renewEveryMs: 10 }, stopping.signal);
  await expect
    .poll(async () => (await stage.show(account.id, account.agentId, evaluationId)).costMicros)
    .toBeGreaterThan(0n);
  stopping.abort();
  await running;
  const found = await stage.show(account.id, account.agentId, evaluationId);
  expect(found.runs).toMatchObject([{ verdict: 'errored', problem: 'worker_lost' }]);
  expect((await stage.books(account.id)).charges).toEqual([0n - found.costMicros]);
  expect(await stage.holds()).toBe(0);
});

test('a cancellation ends the runs that wait, and then the one that runs', async () => {
  const account = await stage.account({ instructions: USELESS });
  const scenarios = [scripted(['Wait forever.']), scripted(['Hello.'], { name: 'Waits' })];
  const { evaluationId, runs } = await stage.begin({ ...of(account), scenarios });
  const running = stage.run(first(runs), { renewEveryMs: 10 });
  await started(first(runs));
  expect(await stage.evaluations.cancel({ ...of(account), evaluationId })).toBe(true);
  await running;
  const found = await stage.show(account.id, account.agentId, evaluationId);
  expect(found).toMatchObject({ isCancelled: true, ended: 2, errored: 2 });
  expect(found.runs.map(({ problem }) => problem)).toEqual(['cancelled', 'cancelled']);
});

test('an account has two conversations at once, and its neighbor’s begin all the same', async () => {
  const [busy, neighbor] = [await stage.account({ instructions: USELESS }), await stage.account()];
  const scenarios = ['a', 'b', 'c'].map((name) => scripted(['Wait forever.'], { name }));
  const { evaluationId, runs } = await stage.begin({ ...of(busy), scenarios });
  const [one, two, three] = runs;
  invariant(one !== undefined && two !== undefined && three !== undefined, 'there are three runs');
  const running = [stage.run(one, { renewEveryMs: 10 }), stage.run(two, { renewEveryMs: 10 })];
  await Promise.all([started(one), started(two)]);
  // A job that comes too early does nothing.
  await stage.run(three);
  expect((await stage.show(busy.id, busy.agentId, evaluationId)).runs[2]).toMatchObject({
    verdict: null,
    startedAtMs: null,
  });
  expect(await stage.evaluations.startable({ accountId: busy.id, limit: 10 })).toEqual([]);
  expect(first((await evaluated(neighbor, [PATIENT_SCENARIO])).runs).verdict).toBe('passed');
  await stage.evaluations.cancel({ ...of(busy), evaluationId });
  await Promise.all(running);
});

test.each([
  ['a provider that is away', 'stall', 'provider_unavailable', { idleMs: 300 }],
  ['a provider that refuses', '401', 'provider_rejected', {}],
])('%s ends a run with the reason', async (_, model, problem, pace) => {
  const account = await stage.account();
  await stage.database.side.$executeRaw`
    UPDATE agent_versions SET settings = jsonb_set(settings, '{llm,model}', to_jsonb(${model}::text))
    WHERE agent_id = ${account.agentId}::uuid`;
  const { evaluationId, runs } = await stage.begin({ ...of(account), scenarios: [scripted(['Hello.'])] });
  await stage.database.side.$executeRaw`
    UPDATE evaluation_runs SET needs = jsonb_set(needs, '{0,model}', to_jsonb(${model}::text)) WHERE id = ${first(runs)}::uuid`;
  await stage.run(first(runs), pace);
  expect((await stage.show(account.id, account.agentId, evaluationId)).runs).toMatchObject([
    { verdict: 'errored', problem },
  ]);
});
