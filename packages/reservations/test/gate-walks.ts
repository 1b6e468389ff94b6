import * as fc from 'fast-check';
import type { Gate, RebuildTicket } from '@outdial/calls';
import { GateModel } from '@outdial/calls/testing';
import { unreachable } from '@outdial/kernel';
import { expect } from 'vitest';
import { walk, type Operation } from './gate-operations.ts';
import { modelStoredState, readStoredState } from './stored-state.ts';
import type { GateUnderTest } from './stores.ts';

interface Issued {
  readonly ticket: RebuildTicket;
  readonly incarnation: number;
  readonly rebuild: number;
}

/** The gate and its model side by side; `tickets` are all issued ones, the last one first. */
interface Walk {
  readonly gate: Gate;
  readonly redis: GateUnderTest['redis'];
  readonly model: GateModel;
  readonly tickets: Issued[];
}

const NO_TICKET: Issued = {
  ticket: { incarnation: 'never-issued', attemptId: 'never-issued' },
  incarnation: -1,
  rebuild: -1,
};

/** Runs one operation on both. Returns both answers. */
async function step(walk: Walk, operation: Operation): Promise<readonly [actual: unknown, expected: unknown]> {
  const { gate, model, tickets } = walk;
  const anyToken = { generation: 1, walTimeline: '00000001' };
  switch (operation.kind) {
    case 'reserve': {
      const { inputs } = operation;
      const actual = await Promise.all(inputs.map((input) => gate.reserve(input)));
      return [actual, inputs.map((input) => model.reserve(input))];
    }
    case 'enlarge':
      return [await gate.enlarge(operation.input), model.enlarge(operation.input)];
    case 'release':
      return [await gate.release(operation.input), model.release(operation.input)];
    case 'loadAccount': {
      const token = operation.token === 'current' ? (model.token ?? anyToken) : operation.token;
      return [await gate.loadAccount(token, operation.limits), model.loadAccount(token, operation.limits)];
    }
    case 'refreshAccount':
      return [await gate.refreshAccount(operation.limits), model.refreshAccount(operation.limits)];
    case 'refreshSystem':
      return [await gate.refreshSystem(operation.limits), model.refreshSystem(operation.limits)];
    case 'close': {
      const token = operation.token === 'current' ? (model.token ?? anyToken) : operation.token;
      return [await gate.close(token), model.close(token)];
    }
    case 'beginRebuild':
      return beginBoth(walk);
    case 'abandonRebuild': {
      const { ticket, rebuild } = tickets[operation.ticketAge] ?? NO_TICKET;
      return [await gate.abandonRebuild(ticket), model.abandonRebuild(rebuild)];
    }
    case 'publish': {
      const { ticket, incarnation } = tickets[operation.ticketAge] ?? NO_TICKET;
      return [await gate.publish(ticket, operation.snapshot), model.publish(incarnation, operation.snapshot)];
    }
    case 'flush':
    case 'becomeForeign':
    case 'ageMark':
    case 'flushScripts':
      await disturb(walk, operation.kind);
      return [operation.kind, operation.kind];
    default:
      return unreachable(operation);
  }
}

/** A ticket names an incarnation: the same one for the same life of the same Redis, another one for another. */
async function beginBoth({ gate, model, tickets }: Walk): Promise<readonly [unknown, unknown]> {
  const actual = await gate.beginRebuild();
  const expected = model.beginRebuild();
  if (actual.kind !== 'begun' || expected !== 'begun') return [actual.kind, expected];
  const { incarnation, rebuilds: rebuild } = model;
  const issued: Issued = { ticket: actual.ticket, incarnation: incarnation ?? -1, rebuild };
  for (const earlier of tickets) {
    const same = earlier.ticket.incarnation === issued.ticket.incarnation;
    expect(same).toBe(earlier.incarnation === issued.incarnation);
  }
  tickets.unshift(issued);
  return [actual.kind, expected];
}

async function disturb(
  { redis, model }: Walk,
  kind: 'flush' | 'becomeForeign' | 'ageMark' | 'flushScripts',
): Promise<void> {
  switch (kind) {
    case 'flush':
      await redis.flushdb();
      model.flush();
      return;
    case 'becomeForeign':
      // What a replica finds when it is promoted: the gate of another Redis.
      if (model.incarnation !== null) await redis.hset('{outdial}:gate', 'replicationId', 'another');
      model.becomeForeign();
      return;
    case 'ageMark':
      if (model.mark !== 'none') await redis.hincrby('{outdial}:gate', 'rebuildingSinceMs', -10_001);
      model.ageMark();
      return;
    case 'flushScripts':
      await redis.script('FLUSH');
  }
}

/** What random operations on the gate and its model have come across. */
export interface Walked {
  readonly steps: number;
  /** The outcomes of operations: `reserve closed`. */
  readonly seen: ReadonlySet<string>;
}

/** Fails at the first step where the gate does not answer or store what the model says. */
export async function walkGate(under: GateUnderTest, walks: number): Promise<Walked> {
  const seen = new Set<string>();
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(walk, async (operations) => {
      await under.redis.flushdb();
      const both: Walk = { gate: under.gate, redis: under.redis, model: new GateModel(), tickets: [] };
      for (const operation of operations) {
        const [actual, expected] = await step(both, operation);
        expect(actual).toEqual(expected);
        expect(await readStoredState(under.redis)).toEqual(modelStoredState(both.model));
        for (const name of outcomeNames(operation, actual)) seen.add(name);
        steps += 1;
      }
    }),
    { numRuns: walks },
  );
  return { steps, seen };
}

function outcomeNames(operation: Operation, answer: unknown): readonly string[] {
  const answers: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  return answers.map((one) => outcomeName(operation, one));
}

function outcomeName(operation: Operation, answer: unknown): string {
  if (typeof answer !== 'object' || answer === null || !('kind' in answer))
    return `${operation.kind} ${String(answer)}`;
  const scope = 'scope' in answer ? ` ${String(answer.scope)}` : '';
  return `${operation.kind} ${String(answer.kind)}${scope}`;
}
