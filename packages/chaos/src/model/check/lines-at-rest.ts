import { createGate, createLineGate } from '@outdial/reservations';
import { linesOf } from '../processes/model-lines.ts';
import { redisLink } from '../stores/redis-link.ts';
import type { World } from '../world/world.ts';

/** Longer than any breaker is open, and half-open after that. */
const CLOSED_NO_LONGER_MS = 240_000;

/** At rest no line is held: a last call gets every line, even if each has one place only. */
export async function checkLinesAtRest({ redis, clock, ids, parties, profile, promises }: World): Promise<void> {
  const [party] = parties;
  if (!party) return;
  await clock.advance(CLOSED_NO_LONGER_MS);
  const link = redisLink({ reach: () => redis.main, send: (_what, run) => run() });
  const [gate, lineGate] = [createGate({ redis: link }), createLineGate({ redis: link })];
  const { token } = await gate.state();
  const callId = ids.callId();
  if (!token) return;
  await redis.main.client.hset('{outdial}:holds', callId, `${party.accountId} ${ids.reservationId()} 0 0`);
  await lineGate.restore(token, []);
  const lines = linesOf(profile).map((line) => ({ ...line, maxCalls: 1 }));
  const outcome = await lineGate.acquire({ callId, trunks: [], lines });
  if (outcome.kind !== 'acquired') promises.violate('no line is held at rest', JSON.stringify(outcome));
}
