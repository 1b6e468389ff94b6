import { randomUUID } from 'node:crypto';
import { breakersOf, type ConductedBy, type LineStore, type PinnedModel } from '@outdial/calls';
import {
  lineOf,
  MemoryLineDirectory,
  MemoryLineGate,
  newAccountId,
  newCallId,
  newReservationId,
} from '@outdial/calls/testing';
import { agentIdSchema, type CallId } from '@outdial/contracts';
import { createLogger, systemClock } from '@outdial/kernel';
import { expect, test } from 'vitest';
import { createCallModels, usableModels } from './call-models.ts';

const model: PinnedModel = {
  component: 'llm',
  provider: 'openai',
  model: 'gpt',
  credentialId: 'main',
  isOwn: true,
  isFallback: false,
};
const spare: PinnedModel = { ...model, credentialId: 'spare', isFallback: true };
const ears: PinnedModel = { ...model, component: 'stt', provider: 'deepgram', model: 'flux' };
const callOf = (...models: readonly PinnedModel[]): ConductedBy => ({
  accountId: newAccountId(),
  agentId: agentIdSchema.parse(randomUUID()),
  agentVersion: 1,
  reservationId: newReservationId(),
  epoch: 1,
  models,
});

function world() {
  let nowMs = 1_000_000;
  const lineGate = new MemoryLineGate(() => nowMs);
  const lineDirectory = new MemoryLineDirectory();
  const appended: string[] = [];
  const lineStore: LineStore = {
    async appendLine({ line }) {
      appended.push(line);
      return { kind: 'written', endRequested: false };
    },
    takenLines: async () => [],
  };
  const calls = createCallModels({
    lineGate,
    lineDirectory,
    lineStore,
    breakers: lineGate.breakers,
    keyChecks: { isRejected: async () => false },
    gate: { close: async () => undefined },
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  function add(conducted: ConductedBy): CallId {
    const callId = newCallId();
    lineGate.holds.set(callId, conducted);
    calls.add(callId, conducted);
    return callId;
  }
  return { calls, add, lineGate, lineDirectory, appended, pass: (durationMs: number) => void (nowMs += durationMs) };
}

test('a model that is known to be down is left to its fallback, and without one the call has no use for the others', async () => {
  const { calls, add, pass } = world();
  const [withSpare, without] = [callOf(ears, model, spare), callOf(ears, model)];
  for (const conducted of [withSpare, without]) {
    const callId = add(conducted);
    for (let count = 0; count < 5; count += 1) calls.used(callId, model, 'fault');
  }
  await expect.poll(() => calls.openBreakers()).toHaveLength(1);
  const open = await calls.openBreakers();
  expect(usableModels(withSpare, open)).toEqual([ears, spare]);
  expect(usableModels(without, open)).toBeNull();
  // Half-open, one call may try.
  pass(15_000);
  expect(usableModels(without, await calls.openBreakers())).toEqual([ears, model]);
});

test('what a request of an agent is refused for leaves other versions alone', async () => {
  const { calls, add } = world();
  const conducted = callOf(model);
  const callId = add(conducted);
  for (let count = 0; count < 5; count += 1) calls.used(callId, model, 'rejected');
  await expect.poll(() => calls.openBreakers()).toHaveLength(1);
  const open = await calls.openBreakers();
  expect(open.map(({ breaker }) => breaker)).toEqual([breakersOf(model, conducted).agentVersion]);
  expect(usableModels(conducted, open)).toBeNull();
  expect(usableModels({ ...conducted, agentVersion: 2 }, open)).toEqual([model]);
});

/** What a call shows whose connection is lost: it was there, and is gone. */
const LOST = ['success', 'fault', 'success', 'fault'] as const;

test('connections that one account loses hold back its own calls, and those of no neighbor on the operator’s credential', async () => {
  const { calls, add } = world();
  const shared: PinnedModel = { ...model, isOwn: false };
  const [hostile, neighbor] = [callOf(shared), callOf(shared)];
  for (let nth = 0; nth < 20; nth += 1) {
    const callId = add(hostile);
    for (const outcome of LOST) calls.used(callId, shared, outcome);
  }
  await expect.poll(() => calls.openBreakers()).toHaveLength(1);
  const open = await calls.openBreakers();
  expect(open.map(({ breaker }) => breaker)).toEqual([breakersOf(shared, hostile).account]);
  expect(usableModels(neighbor, open)).toEqual([shared]);
});

test('connections that two accounts lose open the breaker for all', async () => {
  const { calls, add } = world();
  const shared: PinnedModel = { ...model, isOwn: false };
  const neighbor = callOf(shared);
  for (const conducted of [callOf(shared), callOf(shared)]) {
    const callId = add(conducted);
    for (let nth = 0; nth < 3; nth += 1) calls.used(callId, shared, 'fault');
  }
  await expect.poll(async () => usableModels(neighbor, await calls.openBreakers())).toBeNull();
});

test('a fallback takes its line in the gate and in Postgres; a full one, and one of a call that is over, take none', async () => {
  const { calls, add, lineGate, lineDirectory, appended } = world();
  const line = lineOf('spare', 1);
  const [first, second, over] = [add(callOf(model, spare)), add(callOf(model, spare)), add(callOf(model, spare))];
  for (const callId of [first, second, over]) lineDirectory.fallbacks.set(callId, { model: spare, line });
  calls.remove(over);
  expect(await calls.takeLine(over, spare)).toBe(false);
  expect(await calls.takeLine(first, spare)).toBe(true);
  expect(await calls.takeLine(second, spare)).toBe(false);
  expect(await calls.takeLine(first, { ...spare, model: 'unknown' })).toBe(false);
  expect(lineGate.used(line.name)).toBe(1);
  expect(appended).toEqual([line.name]);
});

test('a model that nears the limits of its provider has its line lowered for a minute, once for all of its answers', async () => {
  const { calls, add, lineGate, lineDirectory, pass } = world();
  const conducted = callOf(model);
  const line = lineOf('main', 100, { breakers: [breakersOf(model, conducted).model] });
  const callIds = Array.from({ length: 8 }, () => add(conducted));
  for (const callId of callIds) {
    lineDirectory.lines.set(callId, [line]);
    lineDirectory.fallbacks.set(callId, { model, line });
    await lineGate.acquire({ callId, trunks: [], lines: [line] });
    pass(1);
  }
  const free = () => lineGate.free({ accountId: conducted.accountId, lines: [line] });
  for (const callId of callIds) calls.nearLimit(callId, model);
  await expect.poll(free).toEqual([0]);
  for (const callId of callIds.slice(1)) lineGate.release(callId);
  // Of 8 calls half: one is left, three more may come.
  expect(await free()).toEqual([3]);
  pass(60_000);
  expect(await free()).toEqual([99]);
});

test('while a store is away a fallback has no line, and no breaker is known', async () => {
  const { calls, add, lineGate, lineDirectory } = world();
  const callId = add(callOf(model, spare));
  lineDirectory.away = true;
  lineGate.breakers.open = () => Promise.reject(new Error('Redis is away'));
  expect(await calls.takeLine(callId, spare)).toBe(false);
  expect(await calls.openBreakers()).toEqual([]);
});
