import { randomUUID } from 'node:crypto';
import type { ClaimedCall, QueuedCall } from '@outdial/calls';
import { micros } from '@outdial/contracts';
import { array, assert, asyncProperty, constantFrom, integer, nat, record } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claim, createWorld, settlementOf, type Party, type World } from '../test/world.ts';
import { createAdministration } from './administration/administration.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type ModelCall = { holdMicros: number } & (
  | { readonly state: 'queued'; readonly call: QueuedCall }
  | { readonly state: 'claimed'; readonly call: ClaimedCall }
);

/** The expected books, computed without a database: a balance, the holds, and every entry. */
interface Model {
  balanceMicros: number;
  entries: number[];
  readonly topUps: Map<string, number>;
  open: ModelCall[];
  readonly settled: { readonly call: ClaimedCall; readonly costMicros: number }[];
}

const heldBy = (model: Model) => model.open.reduce((sum, { holdMicros }) => sum + holdMicros, 0);

const OPERATIONS = ['topUp', 'topUpAgain', 'accept', 'claim', 'enlarge', 'settle', 'settleAgain', 'cancel'] as const;

interface Step {
  readonly operation: (typeof OPERATIONS)[number];
  /** Selects one of the existing items. */
  readonly pick: number;
  readonly amountMicros: number;
}

const steps = array(
  record<Step>({
    operation: constantFrom(...OPERATIONS),
    pick: nat(50),
    amountMicros: integer({ min: 1, max: 90_000 }),
  }),
  { minLength: 5, maxLength: 40 },
);

async function topUp(party: Party, model: Model, key: string, amountMicros: number): Promise<void> {
  const { wallets } = createAdministration(world.database, { actor: 'test' });
  const before = model.topUps.get(key);
  const result = wallets.topUp({
    accountId: party.accountId,
    amountMicros: micros(amountMicros),
    idempotencyKey: key,
  });
  if (before !== undefined && before !== amountMicros) return expect(result).rejects.toThrow('another amount');
  expect(await result).toMatchObject({ repeated: before !== undefined });
  if (before !== undefined) return undefined;
  model.topUps.set(key, amountMicros);
  model.balanceMicros += amountMicros;
  model.entries.push(amountMicros);
  return undefined;
}

async function accept(party: Party, model: Model, holdMicros: number): Promise<void> {
  // As the gate does: funds are reserved before a row is written.
  if (model.balanceMicros - heldBy(model) < holdMicros) return;
  const call = await world.queued(party, { holdMicros: micros(holdMicros) });
  model.open.push({ state: 'queued', call, holdMicros });
}

async function enlarge(model: Model, call: ModelCall, amountMicros: number): Promise<void> {
  if (call.state !== 'claimed' || model.balanceMicros - heldBy(model) < amountMicros) return;
  const holdMicros = call.holdMicros + amountMicros;
  const { id: callId, epoch } = call.call;
  const token = await world.reconciles.currentToken();
  await world.drives.enlargeHold({ callId, epoch, holdMicros: micros(holdMicros), token });
  call.holdMicros = holdMicros;
}

function close(model: Model, call: ModelCall, costMicros: number): void {
  model.open = model.open.filter((other) => other !== call);
  model.balanceMicros -= costMicros;
  model.entries.push(0 - costMicros);
}

async function settle(model: Model, call: ModelCall, amountMicros: number): Promise<void> {
  if (call.state !== 'claimed') return;
  const costMicros = Math.min(amountMicros, call.holdMicros);
  const charge = { billableSeconds: 60, costMicros: micros(amountMicros) };
  await world.drives.settle(settlementOf(call.call, { charge }));
  close(model, call, costMicros);
  model.settled.push({ call: call.call, costMicros });
}

async function cancel(party: Party, model: Model, call: ModelCall): Promise<void> {
  const { kind } = await world.ends.requestEnd({ accountId: party.accountId, callId: call.call.id });
  expect(kind).toBe(call.state === 'queued' ? 'cancelled' : 'requested');
  if (call.state === 'queued') close(model, call, 0);
}

async function take(party: Party, model: Model, step: Step): Promise<void> {
  const { operation, pick, amountMicros } = step;
  const call = model.open[pick % Math.max(1, model.open.length)];
  const [key] = [...model.topUps.keys()].slice(pick % Math.max(1, model.topUps.size));
  const settled = model.settled[pick % Math.max(1, model.settled.length)];
  switch (operation) {
    case 'topUp':
      return topUp(party, model, randomUUID(), amountMicros);
    case 'topUpAgain':
      return key === undefined
        ? undefined
        : topUp(party, model, key, pick % 2 ? amountMicros : (model.topUps.get(key) ?? 0));
    case 'accept':
      return accept(party, model, amountMicros);
    case 'claim':
      if (call?.state !== 'queued') return undefined;
      model.open[model.open.indexOf(call)] = {
        state: 'claimed',
        call: await claim(world.drives, call.call.id),
        holdMicros: call.holdMicros,
      };
      return undefined;
    case 'enlarge':
      return call && enlarge(model, call, amountMicros);
    case 'settle':
      return call && settle(model, call, amountMicros);
    case 'settleAgain':
      return settled && void (await world.drives.settle(settlementOf(settled.call)));
    case 'cancel':
      return call && cancel(party, model, call);
  }
}

async function keepBooks(path: readonly Step[]): Promise<void> {
  const party = await world.party(0);
  const model: Model = { balanceMicros: 0, entries: [], topUps: new Map(), open: [], settled: [] };
  const { wallets } = createAdministration(world.database, { actor: 'test' });
  for (const step of path) {
    await take(party, model, step);
    const heldMicros = heldBy(model);
    expect(await wallets.show(party.accountId)).toMatchObject({
      balanceMicros: BigInt(model.balanceMicros),
      heldMicros: BigInt(heldMicros),
      availableMicros: BigInt(model.balanceMicros - heldMicros),
    });
  }
  const entries = await wallets.ledger({ accountId: party.accountId, limit: 100 });
  expect(entries.map(({ amountMicros }) => Number(amountMicros)).toReversed()).toEqual(model.entries);
  expect(model.entries.reduce((sum, amount) => sum + amount, 0)).toBe(model.balanceMicros);
}

test('for any sequence of operations, balance = Σ ledger, held = Σ open holds, and both equal the model', async () => {
  await assert(asyncProperty(steps, keepBooks), { numRuns: 40 });
});
