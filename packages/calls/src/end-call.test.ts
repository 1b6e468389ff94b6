import { callIdSchema, reservationIdSchema } from '@outdial/contracts';
import { describe, expect, it } from 'vitest';
import { accountId, AcceptWorld } from '../test/accept-world.ts';
import { createEndCall } from './end-call.ts';
import type { EndRequestOutcome } from './ports/drive-store.ts';
import type { ReleaseInput } from './ports/gate.ts';

const callId = callIdSchema.parse('0c000000-0000-4000-8000-000000000002');
const reservationId = reservationIdSchema.parse('0c000000-0000-4000-8000-000000000001');
const release: ReleaseInput = { callId, accountId, reservationId };

/** Ends a call whose store answers `request`, and returns what else was done. */
async function end(request: EndRequestOutcome, redisAway = false) {
  const world = new AcceptWorld();
  const accepted = await world.acceptCall(world.request());
  const released: ReleaseInput[] = [];
  const signalled: string[] = [];
  const endCall = createEndCall({
    store: { requestEnd: async () => request },
    reader: { find: async () => (accepted.kind === 'accepted' ? accepted.call : null) },
    gate: {
      async release(input) {
        if (redisAway) throw new Error('Redis is away');
        released.push(input);
        return 'released';
      },
    },
    signals: {
      async publish(id) {
        if (redisAway) throw new Error('Redis is away');
        signalled.push(id);
      },
    },
  });
  return { outcome: await endCall({ accountId, callId }), released, signalled };
}

describe('ending a call', () => {
  it('that no worker has claimed frees its slot and hold at once', async () => {
    const { outcome, released, signalled } = await end({ kind: 'cancelled', release });
    expect(outcome).toMatchObject({ kind: 'ending', call: { id: callId } });
    expect([released, signalled]).toEqual([[release], []]);
  });

  it('that is scheduled has nothing to free', async () => {
    const { outcome, released, signalled } = await end({ kind: 'cancelled', release: null });
    expect(outcome).toMatchObject({ kind: 'ending', call: { id: callId } });
    expect([released, signalled]).toEqual([[], []]);
  });

  it('that a worker drives notifies its driver, and frees nothing', async () => {
    const { outcome, released, signalled } = await end({ kind: 'requested' });
    expect(outcome.kind).toBe('ending');
    expect([released, signalled]).toEqual([[], [callId]]);
  });

  it('that has ended changes nothing', async () => {
    const { outcome, released, signalled } = await end({ kind: 'already_ended' });
    expect(outcome.kind).toBe('already_ended');
    expect([released, signalled]).toEqual([[], []]);
  });

  it('that does not exist, or is another account’s, returns not_found', async () => {
    expect((await end({ kind: 'not_found' })).outcome).toEqual({ kind: 'not_found' });
  });

  it.each<EndRequestOutcome>([{ kind: 'cancelled', release }, { kind: 'requested' }])(
    'needs only Postgres ($kind)',
    async (request) => {
      expect((await end(request, true)).outcome.kind).toBe('ending');
    },
  );
});
