import type { AcceptRow, ReserveOutcome } from '@outdial/calls';
import { systemClock } from '@outdial/kernel';
import { expect, it, vi } from 'vitest';
import { walkRequest } from './request-walk.ts';

const nothing = async () => null;

function wayOf(reserved: ReserveOutcome) {
  const accept = vi.fn<(row: AcceptRow) => Promise<{ kind: 'gate_stale' }>>(async () => ({ kind: 'gate_stale' }));
  const requestRebuild = vi.fn<() => void>();
  const walk = () =>
    walkRequest({
      clock: systemClock,
      directory: {
        findKey: nothing,
        findAccount: nothing,
        findAgent: nothing,
        findAgentVersion: nothing,
        systemNumber: nothing,
        rateDeck: () => Promise.reject(new Error('the rate deck is not read in this test')),
        modelRateDeck: () => Promise.reject(new Error('the deck of models is not read in this test')),
      },
      gate: { reserve: async () => reserved },
      store: {
        accept,
        schedule: async () => ({ kind: 'voided' }),
        countScheduled: async () => 0,
        cappedUntilMs: nothing,
        voidReservation: async () => 'voided',
        findIdempotent: nothing,
      },
      limits: { limitsOf: async () => [] },
      reader: {
        find: nothing,
        list: async () => [],
        page: async () => ({ calls: [], hasMore: false, bytes: 0 }),
        events: nothing,
        saveReviewNote: nothing,
        recordingKey: nothing,
        overview: nothing,
      },
      requestRebuild,
    });
  return { walk, accept, requestRebuild };
}

it('goes as far as the row, which no database turns into a call', async () => {
  const token = { generation: 1, walTimeline: '00000001' };
  const { walk, accept } = wayOf({ kind: 'account_unknown', token });
  await walk();
  expect(accept.mock.calls[0]?.[0].token.generation).toBe(0);
});

it('stops at a closed gate and requests a rebuild', async () => {
  const { walk, accept, requestRebuild } = wayOf({ kind: 'closed' });
  await expect(walk()).rejects.toThrow('gate');
  expect(requestRebuild).toHaveBeenCalledOnce();
  expect(accept).not.toHaveBeenCalled();
});
