import { setTimeout as sleep } from 'node:timers/promises';
import { invariant } from '@outdial/kernel';
import { envEgressAllow } from '@outdial/egress';
import type { AttemptVerdict, ClaimedDelivery } from '@outdial/webhooks';
import { webhookViolations } from '../check/webhooks.ts';
import type { Drill } from './drill.ts';
import { localEgress, openDrillStage, type DrillStage } from './drill-stage.ts';

const ALL_AT_ONCE = { freeSlots: 400, freeSlotsForHealthyLanes: 0 } as const;
const SLOW_MS = 100;

const announced: Drill = (databaseUrl) =>
  onStage(openDrillStage(databaseUrl), async (stage) => {
    await stage.call(['queued', 'dialing', 'ended']);
    await stage.send();
    return webhookViolations(stage);
  });

/** On a network where a later request overtakes an earlier one. */
const inOrder: Drill = (databaseUrl) =>
  onStage(openDrillStage(databaseUrl), async (stage) => {
    await stage.call(['queued', 'ended']);
    const egress = localEgress();
    await stage.send({
      async request(request) {
        if (String(request.body).includes('"type":"call.queued"')) await sleep(SLOW_MS);
        return egress.request(request);
      },
    });
    await egress.close();
    return webhookViolations(stage);
  });

/**
 * A sender is stopped in the last try of a delivery; the owner sends the message again. While another sender has it, the
 * first one wakes with its failure.
 */
const fenced: Drill = (databaseUrl) =>
  onStage(openDrillStage(databaseUrl), async (stage) => {
    await stage.call(['ended']);
    await stage.sql('UPDATE webhook_deliveries SET tries_left = 1');
    const stopped = await claimOne(stage);
    await stage.passTime();
    invariant((await stage.store.claim(ALL_AT_ONCE)).deliveries.length === 0, 'its tries are used up');
    await stage.endpoints.resend({ messageId: stopped.messageId, endpointId: stage.endpointId });
    const resent = await claimOne(stage);
    await finish(stage, stopped, { kind: 'failed', laneDelayMs: 0 });
    await finish(stage, resent, { kind: 'retry', dueInMs: 0, laneDelayMs: 0 });
    await stage.send();
    return webhookViolations(stage);
  });

const withName = (url: string) => url.replace('127.0.0.1', 'receiver.example.com');

/** The name of a receiver has an address that the operator does not allow. */
const addressChecked: Drill = (databaseUrl) => {
  return onStage(openDrillStage(databaseUrl, withName), async (stage) => {
    await stage.call(['ended']);
    const egress = localEgress({
      allowed: envEgressAllow.parse('10.0.0.0/8'),
      resolve: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    await stage.send(egress, async () => (await attemptErrors(stage)).length === 0);
    await egress.close();
    return [
      ...stage.receivers.received().map(({ id }) => `a request went to an address that is not allowed: ${id}`),
      ...(await attemptErrors(stage))
        .filter((error) => error !== 'refused_address')
        .map((error) => `the log says of an address that is not allowed: ${error}`),
    ];
  });
};

export const WEBHOOK_DRILLS = {
  webhook_announced: announced,
  webhook_order: inOrder,
  webhook_fence: fenced,
  webhook_address: addressChecked,
} as const;

async function onStage<Result>(opening: Promise<DrillStage>, run: (stage: DrillStage) => Promise<Result>) {
  const stage = await opening;
  try {
    return await run(stage);
  } finally {
    await stage.close();
  }
}

async function claimOne({ store }: DrillStage): Promise<ClaimedDelivery> {
  const [delivery] = (await store.claim(ALL_AT_ONCE)).deliveries;
  invariant(delivery !== undefined, 'a delivery is due');
  return delivery;
}

async function finish({ store }: DrillStage, claimed: ClaimedDelivery, verdict: AttemptVerdict): Promise<void> {
  const { messageId, endpointId, attempt, laneId } = claimed;
  const response = { status: 500, error: 'status', responseHeaders: {}, responseBody: null } as const;
  const ofAttempt = { messageId, endpointId, attempt, laneId, startedAtMs: Date.now(), durationMs: 1 };
  await store.finish({ ...ofAttempt, ...response, verdict });
}

async function attemptErrors({ sql }: Pick<DrillStage, 'sql'>): Promise<readonly string[]> {
  const rows = await sql<{ error: string }>(`SELECT COALESCE(error, 'none') AS error FROM webhook_attempts`);
  return rows.map(({ error }) => error);
}
