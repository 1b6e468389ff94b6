import type { CallId } from '@outdial/contracts';
import type { AttemptVerdict, ClaimedDelivery } from '@outdial/webhooks';
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
  type Arbitrary,
} from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebhookModel, type ModelLane } from '../../test/webhook-model.ts';
import { attemptOf, claimAll, passTime, plantEndpoint, RETRY_LATER } from '../../test/webhooks.ts';
import { createWorld, cycle, type World } from '../../test/world.ts';
import { createWebhookStore } from './webhook-store.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  // Fewer than there are, so that plans use them up.
  await world.database.side.$executeRawUnsafe(`
    CREATE OR REPLACE FUNCTION webhook_tries(kind text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT ${TRIES} $$`);
});
afterAll(() => world.close());

type Step =
  | { readonly kind: 'event'; readonly call: number; readonly type: 'ringing' | 'in_progress' }
  | { readonly kind: 'claim' }
  | { readonly kind: 'finish'; readonly which: number; readonly verdict: AttemptVerdict; readonly keeps: boolean }
  | { readonly kind: 'time' };

const verdicts = constantFrom<AttemptVerdict>({ kind: 'delivered' }, RETRY_LATER, RETRY_LATER, {
  kind: 'failed',
  laneDelayMs: 0,
});
const steps: Arbitrary<Step> = oneof(
  {
    weight: 4,
    arbitrary: record({ kind: constant('event' as const), call: nat(1), type: constantFrom('ringing', 'in_progress') }),
  },
  { weight: 4, arbitrary: constant({ kind: 'claim' as const }) },
  // An attempt that is kept ends a second time later, as that of a worker that was thought to be gone.
  {
    weight: 6,
    arbitrary: record({ kind: constant('finish' as const), which: nat(9), verdict: verdicts, keeps: boolean() }),
  },
  { weight: 2, arbitrary: constant({ kind: 'time' as const }) },
);

const TRIES = 5;

/** Two endpoints and two calls of a new account, in the store and in the model. */
async function stage(maxInFlight: number) {
  const party = await world.party();
  const callIds = [(await world.queued(party)).id, (await world.queued(party)).id];
  const { database } = world;
  const lanes: readonly ModelLane[] = [
    { endpointId: await plantEndpoint(database, party.accountId, { maxInFlight }), maxInFlight, wants: () => true },
    {
      endpointId: await plantEndpoint(database, party.accountId, { events: ['call.ringing'] }),
      maxInFlight: 10,
      wants: (type) => type === 'ringing',
    },
  ];
  const store = createWebhookStore(database, { workerId: 'worker-1' });
  const model = new WebhookModel(lanes, TRIES);
  const open: ClaimedDelivery[] = [];

  async function announce(call: number, callId: CallId, type: string): Promise<void> {
    const [event] = await database.side.$queryRaw<{ id: bigint }[]>`
      INSERT INTO call_events (call_id, at, type) VALUES (${callId}::uuid, now(), ${type}) RETURNING id`;
    const [message] = await database.side.$queryRaw<{ id: string }[]>`
      SELECT id FROM webhook_messages WHERE event_id = ${event?.id ?? 0n}::bigint`;
    if (message) model.announce({ messageId: message.id, call, type });
  }

  return {
    model,
    async take(step: Step): Promise<void> {
      switch (step.kind) {
        case 'event':
          return announce(step.call, cycle(callIds, step.call), step.type);
        case 'claim': {
          const claimed = await claimAll(store);
          model.claim(claimed);
          open.push(...claimed);
          return;
        }
        case 'finish': {
          const index = open.length === 0 ? -1 : step.which % open.length;
          const claimed = open[index];
          if (!claimed) return;
          await store.finish(attemptOf(claimed, step.verdict));
          model.finish(claimed, step.verdict);
          if (!step.keeps) open.splice(index, 1);
          return;
        }
        case 'time':
          for (const { endpointId } of lanes) await passTime(database, endpointId);
          return model.passTime();
      }
    },
    async rows(): Promise<Readonly<Record<string, string>>> {
      const ids = lanes.map(({ endpointId }) => endpointId);
      const rows = await database.side.$queryRaw<{ key: string; value: string }[]>`
        SELECT message_id || ' ' || endpoint_id AS key, state || ' ' || attempts || ' ' || tries_left AS value
        FROM webhook_deliveries WHERE endpoint_id = ANY(${ids}::uuid[])`;
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    },
    /** Receivers recover: everything ends. */
    async drain(): Promise<void> {
      while (model.pending > 0) {
        await this.take({ kind: 'time' });
        open.length = 0;
        await this.take({ kind: 'claim' });
        while (open.length > 0)
          await this.take({ kind: 'finish', which: 0, verdict: { kind: 'delivered' }, keeps: false });
      }
    },
  };
}

test('claims and outcomes are those of the model: order, limits, tries and fences, whatever fails', async () => {
  await assert(
    asyncProperty(array(steps, { minLength: 10, maxLength: 40, size: 'max' }), nat(2), async (plan, extra) => {
      const scene = await stage(extra + 1);
      for (const step of plan) await scene.take(step);
      expect(await scene.rows()).toEqual(scene.model.rows);
      await scene.drain();
      expect(await scene.rows()).toEqual(scene.model.rows);
    }),
    { numRuns: 25 },
  );
});
