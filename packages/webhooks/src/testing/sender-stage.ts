import { randomBytes, randomUUID } from 'node:crypto';
import { accountIdSchema, callIdSchema, webhookEndpointIdSchema, webhookMessageIdSchema } from '@outdial/contracts';
import type { EgressRequest, EgressResponse } from '@outdial/egress';
import { createLogger } from '@outdial/kernel';
import { sealSecret } from '@outdial/secrets';
import { fakeClock } from '@outdial/testkit';
import type { ClaimedDelivery } from '../ports/webhook-store.ts';
import { SENDER_TIMINGS } from '../sender/sender-deps.ts';
import { createWebhookSender } from '../sender/webhook-sender.ts';
import { createSecret } from '../signing/secret.ts';
import { ScriptedStore } from './scripted-store.ts';

const OK: EgressResponse = { status: 200, headers: {}, body: Buffer.from('ok'), truncated: false };

/** A sender with a scripted store, on a clock that stands still. Receivers answer 200, unless `answer` is replaced. */
export function senderStage({ concurrency = 400 }: { readonly concurrency?: number } = {}) {
  const clock = fakeClock(Date.now());
  const store = new ScriptedStore();
  const secretKey = randomBytes(32);
  const secret = createSecret();
  const requests: EgressRequest[] = [];
  const attempted: string[] = [];
  const stage = {
    answer: async (_request: EgressRequest): Promise<EgressResponse> => OK,
    observe: (_outcome: string): void => undefined,
  };
  const sender = createWebhookSender({
    store,
    egress: {
      request(request) {
        requests.push(request);
        return stage.answer(request);
      },
    },
    secretKey,
    version: '1.2.3',
    concurrency,
    observer: {
      attempted(outcome) {
        stage.observe(outcome);
        attempted.push(outcome);
      },
      firstAttempt: () => undefined,
    },
    clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
    random: () => 0.5,
    timings: SENDER_TIMINGS,
  });

  function delivery(changes: Partial<ClaimedDelivery> = {}): ClaimedDelivery {
    const endpointId = changes.endpointId ?? webhookEndpointIdSchema.parse(randomUUID());
    return {
      messageId: webhookMessageIdSchema.parse(randomUUID()),
      endpointId,
      accountId: accountIdSchema.parse(randomUUID()),
      laneId: endpointId,
      kind: 'standing',
      url: 'https://example.com/hooks',
      type: 'call.ended',
      occurredAtMs: clock.nowMs(),
      callId: callIdSchema.parse(randomUUID()),
      traceParent: null,
      attempt: 1,
      triesLeft: 9,
      laneIsHealthy: true,
      apiVersion: '2026-12-01',
      sealedSecret: sealSecret(secretKey, secret, { purpose: 'webhook secret', owner: endpointId }),
      previousSealedSecret: null,
      body: '{"type":"call.ended"}',
      ...changes,
    };
  }

  return Object.assign(stage, { clock, store, secretKey, secret, requests, attempted, sender, delivery });
}
