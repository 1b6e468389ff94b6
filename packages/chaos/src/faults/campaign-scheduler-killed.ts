import type { Service } from '../stack/service.ts';
import type { Trap } from '../stack/trap.ts';
import { draft, numbersFor, strikeCampaign, untilCompleted, type ChaosCampaign } from './campaign-calls.ts';
import type { Fault, FaultContext } from './fault.ts';
import { admissionOf, MARKS, reservationOf } from './marks.ts';
import { first } from './observe.ts';
import { notDialedOnce, RESERVED_AGAIN_WITHIN_MS, TAKEN_AGAIN_WITHIN_MS } from './scheduled-calls.ts';
import { killWith, QUEUED_AGAIN_WITHIN_MS } from './scheduler-killed.ts';

const CONTACTS = 24;

type Arm = (worker: Service, campaign: ChaosCampaign) => Trap;

/** Where workers die. The smallest call is among the first that a turn admits. */
const PLACES = {
  'after it stocked': ({ databaseWire }) => databaseWire.trap({ text: MARKS.stock, at: 'reply' }),
  'before it reserved': ({ redisWire }, { account, callIds }) =>
    redisWire.trap({ text: reservationOf(first(callIds), account.id), at: 'request' }),
  'before Postgres had the admission': ({ databaseWire }, { callIds }) =>
    databaseWire.trap({ text: admissionOf(first(callIds)), at: 'request' }),
  'before the job was queued': ({ databaseWire }, { callIds }) =>
    databaseWire.trap({ text: admissionOf(first(callIds)), at: 'reply' }),
} as const satisfies Record<string, Arm>;

/**
 * The worker that admits a campaign dies when Postgres has stocked its calls; when it has taken them and nothing is reserved;
 * when the gate has reserved and Postgres does not know; when Postgres has admitted and no job is in the queue.
 */
export const campaignSchedulerKilled: Fault = {
  name: 'campaign-scheduler-killed',
  expectation: 'other workers go on with the campaign; each contact is dialed once',
  carrier: 'simulated',
  async run(context) {
    const { stack } = context;
    const stocked = await killAt(context, PLACES['after it stocked']);
    const taken = await killAt(context, PLACES['before it reserved']);
    const reserved = await killAt(context, PLACES['before Postgres had the admission']);
    const admitted = await killAt(context, PLACES['before the job was queued']);
    const strikes = [stocked, taken, reserved, admitted];
    const unfinished = await Promise.all(strikes.map(({ campaign }) => untilCompleted(stack, campaign)));
    const wrong = await notDialedOnce(
      stack,
      strikes.flatMap(({ callIds }) => callIds),
    );
    const others = await taken.waitedMs('taken', 'queuedAtMs');
    const freed = await reserved.waitedMs('reserved', 'queuedAtMs');
    const requeued = await admitted.waitedMs('admitted', 'startedAtMs');
    const hits = {
      'after it stocked': stocked.count.waiting,
      'before it reserved': taken.count.taken,
      'before Postgres had the admission': reserved.count.reserved,
      'before the job was queued': admitted.count.admitted,
    } satisfies Record<keyof typeof PLACES, number>;
    return {
      injected: strikes.length,
      hit: Object.values(hits).reduce((sum, count) => sum + count, 0),
      recoveryMs: Math.max(others, freed, requeued),
      timings: [
        { what: 'what it had taken, admitted by others', tookMs: others, promisedMs: TAKEN_AGAIN_WITHIN_MS },
        { what: 'what it had reserved, admitted by others', tookMs: freed, promisedMs: RESERVED_AGAIN_WITHIN_MS },
        { what: 'what it had admitted, dialed', tookMs: requeued, promisedMs: QUEUED_AGAIN_WITHIN_MS },
      ],
      violations: [
        ...wrong,
        ...unfinished.flat(),
        ...Object.entries(hits).flatMap(([place, count]) => (count === 0 ? [`nothing was hit ${place}`] : [])),
      ],
    };
  },
};

async function killAt(context: FaultContext, arm: Arm) {
  const campaign = await draft(context.stack, { numbers: numbersFor(CONTACTS) });
  const killed = await killWith(context, (strike) =>
    strikeCampaign(context, { campaign, arm: (worker) => arm(worker, campaign) }, strike),
  );
  return { ...killed, campaign };
}
