import type { ReserveInput } from '@outdial/calls';
import type { AccountId } from '@outdial/contracts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { newReservationId } from '@outdial/calls/testing';
import { gateUnderTest } from '../test/stores.ts';
import { openWithChannels, reserved, TOKEN, trunk } from '../test/trunk-fixture.ts';
import { createTrunkChannels } from './index.ts';

const under = gateUnderTest();

const TRUNKS = [trunk('one', 1), trunk('two', 2), trunk('three', 3)] as const;

const operation = fc.oneof(
  fc.record({ kind: fc.constant('reserve' as const) }),
  fc.record({ kind: fc.constant('release' as const), call: fc.nat() }),
  fc.record({ kind: fc.constant('acquire' as const), call: fc.nat(), from: fc.nat(2) }),
  fc.record({ kind: fc.constant('take' as const), call: fc.nat(), trunk: fc.nat(2), late: fc.boolean() }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** The rules of channels, without any stored count: a channel belongs to a call that is held. */
class Model {
  readonly calls: ReserveInput[] = [];
  readonly channels = new Map<string, number>();

  call(index: number): ReserveInput | undefined {
    return this.calls[index % this.calls.length];
  }

  release(call: ReserveInput): void {
    this.calls.splice(this.calls.indexOf(call), 1);
    this.channels.delete(call.callId);
  }

  used(at: number): number {
    return [...this.channels.values()].filter((taken) => taken === at).length;
  }

  isFree(at: number): boolean {
    return this.used(at) < (TRUNKS[at]?.channels ?? 0);
  }

  acquire({ callId }: ReserveInput, from: number): string {
    const standing = this.channels.get(callId);
    if (standing !== undefined) return TRUNKS[standing]?.name ?? '';
    const at = TRUNKS.findIndex((_, index) => index >= from && this.isFree(index));
    if (at < 0) return 'wait';
    this.channels.set(callId, at);
    return TRUNKS[at]?.name ?? '';
  }

  take({ callId }: ReserveInput, at: number): 'taken' | 'full' {
    if (this.channels.get(callId) !== at && !this.isFree(at)) return 'full';
    this.channels.set(callId, at);
    return 'taken';
  }
}

test('under random reserves, releases, acquires and takes the channels equal those of an independent model', async () => {
  const channels = createTrunkChannels({ redis: under.redis });

  async function run(model: Model, accountId: AccountId, step: Operation): Promise<void> {
    // Sweeping at every command makes an exact model possible.
    await under.redis.hdel('{outdial}:trunks', 'sweptAtMs');
    if (step.kind === 'reserve') return void model.calls.push(await reserved(under.gate, accountId));
    const call = model.call(step.call);
    if (!call) return;
    switch (step.kind) {
      case 'release':
        await under.gate.release(call);
        return model.release(call);
      case 'acquire': {
        const outcome = await channels.acquire({ callId: call.callId, trunks: TRUNKS.slice(step.from) });
        expect(outcome.kind === 'acquired' ? outcome.trunk : outcome.kind).toBe(model.acquire(call, step.from));
        return;
      }
      case 'take': {
        const wanted = TRUNKS[step.trunk] ?? TRUNKS[0];
        if (step.late) {
          const late = { ...call, reservationId: newReservationId() };
          expect(await channels.take({ ...late, trunk: wanted })).toEqual({ kind: 'not_held' });
        }
        expect((await channels.take({ ...call, trunk: wanted })).kind).toBe(model.take(call, step.trunk));
      }
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 20, maxLength: 60 }), async (steps) => {
      await under.redis.flushdb();
      const accountId = await openWithChannels(under.gate, channels);
      const model = new Model();
      for (const step of steps) await run(model, accountId, step);
      // Restoring from the model reproduces the state.
      await under.redis.hdel('{outdial}:trunks', 'token', 'sweptAtMs');
      const taken = [...model.calls].flatMap(({ callId, reservationId }) => {
        const trunk = TRUNKS[model.channels.get(callId) ?? -1];
        return trunk ? [{ callId, reservationId, trunk: trunk.name }] : [];
      });
      expect(await channels.restore(TOKEN, taken)).toBe('restored');
      for (const [at, { name }] of TRUNKS.entries()) {
        expect(Number((await under.redis.hget('{outdial}:trunks', `used:${name}`)) ?? 0)).toBe(model.used(at));
      }
    }),
    { numRuns: 60 },
  );
});
