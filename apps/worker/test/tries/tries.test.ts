import { micros, type TryEvent } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CASCADE, openTryStage, REALTIME, type TryStage } from './try-stage.ts';

let stage: TryStage;
beforeAll(async () => {
  stage = await openTryStage();
});
afterAll(() => stage.close());

const textOf = (events: readonly TryEvent[]) =>
  events
    .map((event) => (event.type === 'agent_text' || event.type === 'agent_done' ? event : null))
    .reduce<string[]>(
      (lines, event) => {
        if (event === null) return lines;
        if (event.type === 'agent_done') return [...lines, ''];
        return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${event.text}`];
      },
      [''],
    );
const seen = (tryId: Parameters<TryStage['events']>[0], type: TryEvent['type'], times = 1) =>
  expect
    .poll(async () => (await stage.events(tryId)).filter((event) => event.type === type).length)
    .toBeGreaterThanOrEqual(times);

test.each([
  ['a cascade', CASCADE, 'gpt-simulated'],
  ['a realtime agent', REALTIME, 'gpt-realtime-2.1'],
])(
  '%s talks in text, runs its tools, hangs up, and is charged once for what its model used',
  async (_, settings, model) => {
    const account = await stage.account({ settings });
    const tryId = await stage.begin({ accountId: account.id, agentId: account.agentId, model });
    const running = stage.run(tryId);
    await seen(tryId, 'agent_done');
    await stage.say(tryId, 'Do you have a slot on Tuesday?');
    await seen(tryId, 'agent_done', 3);
    await stage.say(tryId, 'Choose number one.');
    await seen(tryId, 'act');
    await seen(tryId, 'agent_done', 5);
    await stage.say(tryId, 'Fine, bye.');
    expect(await running).toEqual({ kind: 'done' });
    const events = await stage.events(tryId);
    expect(textOf(events).filter(Boolean)).toEqual([
      'Good morning Anna, this is the dental practice.',
      'There is a slot at nine.',
      'Could you say that again?',
      'Goodbye.',
    ]);
    expect(events.filter(({ type }) => type === 'tool_called')).toMatchObject([
      { name: 'free_slots', arguments: { day: 'Tuesday' }, outcome: 'ok', result: expect.stringContaining('9:00') },
      { name: 'press', arguments: { digits: '12' } },
      { name: 'end_call', arguments: { reason: 'done' } },
    ]);
    const { balance, ledger, charges, cost } = await stage.books(account.id);
    expect(cost).toBeGreaterThan(0n);
    expect([charges, balance, ledger]).toEqual([[-cost], 100_000_000n - cost, balance]);
    expect(events.at(-1)).toEqual({ type: 'ended', reason: 'agent_hangup', cost: Number(cost) / 1_000_000 });
    expect(await stage.holds()).toBe(0);
    expect(JSON.stringify(events)).not.toContain('canary');
    // Delivered again: it is over.
    expect(await stage.run(tryId)).toEqual({ kind: 'done' });
    expect((await stage.books(account.id)).charges).toEqual([-cost]);
  },
);

test('an agent that would opt the callee out says so, ends the try, and puts no number on a list', async () => {
  const account = await stage.account();
  const tryId = await stage.begin({ accountId: account.id, agentId: account.agentId });
  const running = stage.run(tryId);
  await seen(tryId, 'agent_done');
  await stage.say(tryId, 'Please stop calling me.');
  await running;
  const events = await stage.events(tryId);
  expect(events.filter(({ type }) => type === 'act')).toEqual([
    { type: 'act', act: { kind: 'opt_out', reason: 'asked to stop' } },
  ]);
  expect(textOf(events)).toContain('You will not be called again. Goodbye.');
  expect(events.at(-1)).toMatchObject({ type: 'ended', reason: 'agent_hangup' });
  expect(await stage.suppressions()).toBe(0);
});

test('on an own credential a try holds and costs nothing', async () => {
  const account = await stage.account({ settings: REALTIME });
  const tryId = await stage.begin({
    accountId: account.id,
    agentId: account.agentId,
    model: 'gpt-realtime-2.1',
    isOwn: true,
  });
  const running = stage.run(tryId);
  await stage.end(tryId);
  await running;
  expect(await stage.books(account.id)).toMatchObject({ balance: 100_000_000n, cost: 0n });
  // It leads to the internet alone, so this one was refused or ended before it was used.
  expect((await stage.events(tryId)).at(-1)).toMatchObject({ type: 'ended', cost: 0 });
});

test('a try ends when its hold is spent, and never costs more', async () => {
  const account = await stage.account();
  const tryId = await stage.begin({ accountId: account.id, agentId: account.agentId, holdMicros: 20_000n });
  const running = stage.run(tryId);
  await stage.say(tryId, 'Hello?');
  await running;
  expect((await stage.events(tryId)).at(-1)).toMatchObject({ type: 'ended', reason: 'funds_spent', cost: 0.02 });
  expect(await stage.books(account.id)).toMatchObject({ balance: 99_980_000n, charges: [-20_000n] });
});

test('a try whose worker was lost is charged what is known, once, and frees its hold and its lines', async () => {
  const account = await stage.account();
  const tryId = await stage.begin({ accountId: account.id, agentId: account.agentId });
  const lost = await stage.store.claim({ tryId, leaseMs: 1 });
  if (lost.kind !== 'claimed') throw new Error('the first worker claims it');
  const usage = [
    { component: 'llm', provider: 'openai', model: 'gpt-simulated', unit: 'output_text_token', quantity: 7 },
  ] as const;
  const known = { usage, costMicros: micros(7_000) };
  await stage.store.renew({ tryId, lease: lost.job.lease, leaseMs: 1, ...known });
  await expect.poll(() => stage.store.overdue({ waitMs: 1_000_000, limit: 10 })).toEqual([tryId]);
  await Promise.all([stage.sweep(), stage.sweep(), stage.run(tryId)]);
  expect((await stage.books(account.id)).charges).toEqual([-7_000n]);
  expect((await stage.events(tryId)).at(-1)).toEqual({ type: 'ended', reason: 'worker_lost', cost: 0.007 });
  expect(await stage.holds()).toBe(0);
  // The first worker comes back: it is fenced.
  const late = await stage.store.finish({
    tryId,
    lease: lost.job.lease,
    reason: 'ended_by_user',
    ...known,
    token: await stage.reconcileStore.currentToken(),
  });
  expect(late.kind).toBe('fenced');
  expect((await stage.books(account.id)).charges).toEqual([-7_000n]);
});

test('a try without a message ends by itself and frees its hold, and its neighbor goes on', async () => {
  const account = await stage.account();
  const [quiet, busy] = await Promise.all(
    [1, 2].map(() => stage.begin({ accountId: account.id, agentId: account.agentId })),
  );
  if (quiet === undefined || busy === undefined) throw new Error('two tries have begun');
  const running = stage.run(busy);
  await seen(busy, 'agent_done');
  await stage.run(quiet, { timings: { idleMs: 1 } });
  expect((await stage.events(quiet)).at(-1)).toMatchObject({ type: 'ended', reason: 'idle' });
  expect((await stage.events(busy)).some(({ type }) => type === 'ended')).toBe(false);
  await stage.end(busy);
  await running;
  expect(await stage.holds()).toBe(0);
});

test('a try that no worker begins ends by itself and costs nothing', async () => {
  const account = await stage.account();
  const tryId = await stage.begin({ accountId: account.id, agentId: account.agentId });
  await stage.sweep({ waitMs: 0 });
  expect((await stage.events(tryId)).at(-1)).toEqual({ type: 'ended', reason: 'not_started', cost: 0 });
  expect(await stage.books(account.id)).toMatchObject({ charges: [], balance: 100_000_000n });
});

test('a worker that stops ends its tries and charges what they used', async () => {
  const account = await stage.account();
  const tryId = await stage.begin({ accountId: account.id, agentId: account.agentId });
  const stopping = new AbortController();
  const running = stage.run(tryId, { stopping: stopping.signal });
  await stage.say(tryId, 'Hello?');
  await seen(tryId, 'usage');
  stopping.abort();
  await running;
  const { charges, cost } = await stage.books(account.id);
  expect(charges).toEqual([-cost]);
  expect((await stage.events(tryId)).at(-1)).toMatchObject({ type: 'ended', reason: 'worker_lost' });
});

test('a rebuilt gate knows the hold and the line of a try, and the charge goes on', async () => {
  const account = await stage.account();
  const tryId = await stage.begin({ accountId: account.id, agentId: account.agentId });
  const running = stage.run(tryId);
  await stage.say(tryId, 'Hello?');
  await seen(tryId, 'usage');
  const { token } = await stage.gate.state();
  if (token === null) throw new Error('the gate is open');
  await stage.gate.close(token);
  await stage.rebuild();
  expect(await stage.holds()).toBe(1);
  await stage.end(tryId);
  await running;
  const { charges, cost } = await stage.books(account.id);
  expect([charges, cost > 0n]).toEqual([[-cost], true]);
  expect(await stage.holds()).toBe(0);
});

test('a try takes a line of the operator’s credential, and waits for none that an account’s tries hold', async () => {
  const first = await stage.account();
  const other = await stage.account();
  const held = [
    await stage.begin({ accountId: first.id, agentId: first.agentId }),
    await stage.begin({ accountId: first.id, agentId: first.agentId }),
  ];
  const running = held.map((tryId) => stage.run(tryId));
  for (const tryId of held) await seen(tryId, 'started');
  // Both lines are taken: the try of the neighbor ends in time, and nothing of it stays.
  const late = await stage.begin({ accountId: other.id, agentId: other.agentId });
  await stage.run(late, { timings: { placeMs: 300 } });
  expect((await stage.events(late)).at(-1)).toMatchObject({ type: 'ended', reason: 'not_started' });
  for (const tryId of held) await stage.end(tryId);
  await Promise.all(running);
  const next = await stage.begin({ accountId: other.id, agentId: other.agentId });
  const talk = stage.run(next);
  await seen(next, 'started');
  await stage.end(next);
  await talk;
  expect(await stage.holds()).toBe(0);
});
