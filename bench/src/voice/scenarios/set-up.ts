import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, type Figure } from '../../report.ts';
import { withRedis } from '../../stage.ts';
import { readJournal } from '../journal.ts';
import { busyNumber, BUSY_NUMBERS, type VoiceStage } from '../stage.ts';

const PER_SECOND = 20;
/** The first calls of a process open connections. */
const WARM_UP_CALLS = 20;

/**
 * Measures from the moment at which Redis gave the job to the worker, by the queue's own events, to the INVITE in the
 * callee's journal: two witnesses outside of the measured process, each to the millisecond.
 */
export async function measureSetUp(stage: VoiceStage, say: (text: string) => void): Promise<Figure[]> {
  const callIds: string[] = [];
  const startedMs = performance.now();
  for (let nth = 0; nth < BUSY_NUMBERS; nth += 1) {
    callIds.push(await stage.api.place({ toNumber: busyNumber(nth), agentId: stage.agents.listener }));
    await sleep(Math.max(0, startedMs + ((nth + 1) * 1_000) / PER_SECOND - performance.now()));
  }
  const reasons = await Promise.all(callIds.map(async (callId) => (await stage.api.ended(callId)).ended_reason));
  if (reasons.some((reason) => reason !== 'busy')) throw new Error(`not every callee was busy: ${reasons.join(', ')}`);
  const [taken, invited] = await Promise.all([takenAtMs(stage), invitedAtMs(stage)]);
  const setUpMs = callIds
    .map((callId, nth) => (invited.get(busyNumber(nth)) ?? NaN) - (taken.get(callId) ?? NaN))
    .slice(WARM_UP_CALLS);
  const p99 = percentile(setUpMs, 0.99);
  say(`${setUpMs.length} calls: p99 ${p99} ms`);
  return [
    {
      name: 'call set-up at 20 calls/s, job taken → INVITE on the wire: p99',
      value: p99,
      unit: 'ms',
      goal: { atMost: 50 },
      absolute: { calls: setUpMs.length, 'p50 ms': percentile(setUpMs, 0.5), 'most ms': Math.max(...setUpMs) },
    },
  ];
}

/** By call: when its job became active. Redis numbers the queue's events by its clock. */
async function takenAtMs({ stores }: VoiceStage): Promise<ReadonlyMap<string, number>> {
  return withRedis(stores.redisUrl, async (redis) => {
    const [stream] = await redis.keys('*:events');
    const events = stream === undefined ? [] : await redis.xrange(stream, '-', '+');
    const taken = events.flatMap(([id, fields]) => {
      const field = (name: string) => fields[fields.indexOf(name) + 1] ?? '';
      return field('event') === 'active' ? [[field('jobId'), Number.parseInt(id, 10)] as const] : [];
    });
    return new Map(taken);
  });
}

/** By the called number. */
async function invitedAtMs({ journalPath }: VoiceStage): Promise<ReadonlyMap<string, number>> {
  const lines = await readJournal(journalPath);
  return new Map(lines.flatMap(({ event, to, at }) => (event === 'invite' ? [[to, Date.parse(at)] as const] : [])));
}
