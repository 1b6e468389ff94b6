import { webhookMessageIdSchema, type CallId } from '@outdial/contracts';
import { sign } from '@outdial/webhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openHookStage, type HookStage } from './hook-stage.ts';
import type { Received, Receiver } from './receiver.ts';

const BEGINS = ['call.queued', 'call.dialing'] as const;
const RINGS = [...BEGINS, 'call.ringing'] as const;

let stage: HookStage;
beforeAll(async () => {
  stage = await openHookStage();
});
afterEach(async () => {
  await stage.stopWorkers();
  await stage.clear();
});
afterAll(() => stage.close());

const aboutCall = (received: readonly Received[], callId: CallId) =>
  received.filter(({ parsed }) => parsed.data.call?.id === callId);

/** Resolves once the receiver has the webhook that ends the call's sequence. */
async function untilType(receiver: Receiver, callId: CallId, type: string): Promise<readonly Received[]> {
  for (let count = 1; ; count += 1) {
    const known = aboutCall(await receiver.until(count), callId);
    if (known.some(({ parsed }) => parsed.type === type)) return known;
  }
}

test.each([
  ['an answered call', '+12025550105', [...RINGS, 'call.answered', 'call.ended']],
  ['a busy callee', '+12025550101', [...BEGINS, 'call.ended']],
  ['a voicemail', '+12025550106', [...RINGS, 'call.answered', 'call.ended']],
])('%s is reported in the order of its events, signed', async (_callee, number, types) => {
  const receiver = await stage.receiver();
  const { secret } = await stage.endpoint({ url: receiver.url });
  // A voicemail is recognized by its sound.
  await stage.startWorker({ ...stage.hookEnvironment, OUTDIAL_SIMULATED_MEDIA: 'frames' });
  const callId = await stage.place(number);
  const received = await untilType(receiver, callId, 'call.ended');
  expect(received.map(({ parsed }) => parsed.type).filter((type) => type !== 'call.answered_by')).toEqual(types);
  const eventIds = received.map(({ parsed }) => BigInt(parsed.data.event?.id ?? 0));
  expect(eventIds).toEqual(eventIds.toSorted((left, right) => (left < right ? -1 : 1)));
  for (const { id, body, headers } of received) {
    const messageId = webhookMessageIdSchema.parse(id.replace('msg_', ''));
    const atMs = Number(headers['webhook-timestamp']) * 1_000;
    expect(headers).toMatchObject({
      ...sign({ messageId, atMs, body, secrets: [secret] }),
      'outdial-version': '2026-12-01',
    });
  }
  expect(received.at(-1)?.parsed.data.call).toMatchObject({ status: 'ended' });
});

test('a canceled call is reported, although no worker ever dialed it', async () => {
  const receiver = await stage.receiver();
  await stage.endpoint({ url: receiver.url });
  const callId = await stage.place('+12025550100');
  await stage.end(callId);
  await stage.startWorker({ ...stage.hookEnvironment, OUTDIAL_WORKER_ROLES: 'webhooks' });
  const received = await untilType(receiver, callId, 'call.ended');
  expect(received.map(({ parsed }) => parsed.type)).toEqual(['call.queued', 'call.ended']);
});

test('a call that waits too long is reported as ended', async () => {
  const receiver = await stage.receiver();
  await stage.endpoint({ url: receiver.url, events: ['call.ended'] });
  const callId = await stage.place('+12025550100');
  await stage.database.side.$executeRaw`
    UPDATE calls SET expires_at = now() - interval '1 second' WHERE id = ${callId}::uuid`;
  await stage.startWorker(stage.hookEnvironment);
  const [ended] = await untilType(receiver, callId, 'call.ended');
  expect(ended?.parsed.data.call).toMatchObject({ status: 'ended', ended_reason: 'queue_expired', cost: 0 });
});
