import { begunRebuild, limitsOf, openGate, snapshotOf, TIMELINE, type LineGateStage } from '@outdial/calls/testing';
import type { LineReader } from '@outdial/calls';
import { micros, type AccountId, type CallId, type ReservationId } from '@outdial/contracts';
import { createBreakers, createGate, createLineGate, createLineReader, createTrunkChannels } from '../src/index.ts';
import type { RedisClient } from '../src/redis-client.ts';
import { standingClock } from './standing-clock.ts';
import { TOKEN } from './trunk-fixture.ts';

/** Lines, trunks and breakers over an empty Redis, at a time that stands still. */
export async function openLineGateStage(redis: RedisClient): Promise<LineGateStage & { readonly reader: LineReader }> {
  const clock = standingClock(redis);
  await clock.start();
  const options = { redis: clock.client };
  const [gate, lines, channels] = [createGate(options), createLineGate(options), createTrunkChannels(options)];
  const holds = new Map<CallId, { readonly accountId: AccountId; readonly reservationId: ReservationId }>();
  const known = new Set<AccountId>();
  await openGate(gate, {});
  await channels.restore(TOKEN, []);
  await lines.restore(TOKEN, []);
  const snapshot = () => ({
    accounts: [...known].map((accountId) => limitsOf(accountId, { capacity: 1_000 })),
    holds: [...holds].map(([callId, hold]) => ({ callId, ...hold, holdMicros: micros(1) })),
  });
  return {
    lines,
    reader: createLineReader(options),
    breakers: createBreakers(options),
    token: TOKEN,
    pass: (durationMs) => clock.pass(durationMs),
    async hold(callId, accountId, reservationId) {
      if (!known.has(accountId)) await gate.loadAccount(TOKEN, limitsOf(accountId, { capacity: 1_000 }));
      known.add(accountId);
      holds.set(callId, { accountId, reservationId });
      await gate.reserve({ callId, accountId, reservationId, holdMicros: micros(1) });
    },
    async release(callId, accountId, reservationId) {
      holds.delete(callId);
      await gate.release({ callId, accountId, reservationId });
      await clock.pass(100);
    },
    async acquireChannel(callId, trunks) {
      const outcome = await channels.acquire({ callId, trunks });
      return outcome.kind === 'acquired' ? outcome.trunk : null;
    },
    async rebuild() {
      await gate.close(TOKEN);
      const token = { generation: 2, walTimeline: TIMELINE };
      await gate.publish(await begunRebuild(gate), snapshotOf({ token, ...snapshot() }));
      await channels.restore(token, []);
      return token;
    },
    closeGate: () => gate.close(TOKEN),
    close: async () => undefined,
  };
}
