import { randomBytes } from 'node:crypto';
import { EgressError, type EgressResponse } from '@outdial/egress';
import { sealSecret } from '@outdial/secrets';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../ports/webhook-store.ts';
import { createSecret } from '../signing/secret.ts';
import { senderStage } from '../testing/sender-stage.ts';

/** A promise that the test resolves. */
function heldBack<Value>() {
  let resolve: ((value: Value) => void) | undefined;
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve: (value: Value) => resolve?.(value) };
}

const never = () => new Promise<EgressResponse>(() => undefined);

describe('a request', () => {
  it('is signed, carries the kept body, and is recorded with its response', async () => {
    const { store, sender, delivery, secret, requests, clock, attempted } = senderStage();
    const sent = delivery();
    store.claims.push([sent]);
    sender.start();
    await clock.advance(0);
    const [request] = requests;
    expect(request).toMatchObject({ method: 'POST', scope: 'allow_list', url: sent.url, body: sent.body });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Outdial-Webhooks/1.2.3',
      'outdial-version': '2026-12-01',
      'webhook-id': `msg_${sent.messageId}`,
    });
    expect(new Webhook(secret).verify(sent.body ?? '', { ...request?.headers })).toEqual({ type: 'call.ended' });
    expect(store.finished).toMatchObject([
      { attempt: 1, status: 200, error: null, responseBody: 'ok', verdict: { kind: 'delivered' } },
    ]);
    expect(attempted).toEqual(['delivered']);
    await sender.stop();
  });

  it('that is the last one counts as failed, and the store decides whether another follows', async () => {
    const stage = senderStage();
    stage.answer = async () => {
      throw new EgressError('timed_out', 'no response');
    };
    stage.store.claims.push([stage.delivery({ attempt: 10, triesLeft: 0 })]);
    stage.sender.start();
    await stage.clock.advance(0);
    expect(stage.attempted).toEqual(['failed']);
    expect(stage.store.finished).toMatchObject([{ verdict: { kind: 'retry', dueInMs: expect.any(Number) } }]);
    await stage.sender.stop();
  });

  it('may be one of hundreds at once, without a warning of leaked listeners', async () => {
    const stage = senderStage();
    const warnings: string[] = [];
    const hear = (warning: Error) => void warnings.push(warning.name);
    process.on('warning', hear);
    stage.answer = (request) => {
      request.signal?.addEventListener('abort', () => undefined);
      return never();
    };
    stage.store.claims.push(Array.from({ length: 200 }, () => stage.delivery()));
    stage.sender.start();
    await stage.clock.advance(0);
    expect(stage.requests).toHaveLength(200);
    process.off('warning', hear);
    expect(warnings).toEqual([]);
    const stopping = stage.sender.stop();
    await stage.clock.advance(60_000);
    await stopping;
  });

  it('has a signature for the previous secret as well while a rotation overlaps', async () => {
    const { store, sender, delivery, secretKey, requests, clock } = senderStage();
    const previous = createSecret();
    const plain = delivery();
    const sealedFor = { purpose: 'webhook secret', owner: plain.endpointId } as const;
    store.claims.push([{ ...plain, previousSealedSecret: sealSecret(secretKey, previous, sealedFor) }]);
    sender.start();
    await clock.advance(0);
    expect(new Webhook(previous).verify(plain.body ?? '', { ...requests[0]?.headers })).toBeDefined();
    await sender.stop();
  });

  it('is not made with a secret that cannot be opened', async () => {
    const { store, sender, delivery, requests, clock } = senderStage();
    const plain = delivery();
    const owner = { purpose: 'webhook secret', owner: plain.endpointId } as const;
    store.claims.push([{ ...plain, sealedSecret: sealSecret(randomBytes(32), createSecret(), owner) }]);
    sender.start();
    await clock.advance(0);
    expect(requests).toEqual([]);
    expect(store.finished).toMatchObject([{ status: null, error: 'secret', verdict: { kind: 'retry' } }]);
    await sender.stop();
  });

  it.each([
    ['address_not_allowed', 'refused_address'],
    ['name_not_found', 'dns'],
    ['tls_failed', 'tls'],
    ['timed_out', 'timeout'],
    ['connection_lost', 'reset'],
  ] as const)('that ends with %s is recorded as %s and repeated later', async (code, error) => {
    const stage = senderStage();
    stage.answer = async () => {
      throw new EgressError(code, 'no response');
    };
    stage.store.claims.push([stage.delivery()]);
    stage.sender.start();
    await stage.clock.advance(0);
    expect(stage.store.finished).toMatchObject([{ status: null, error, verdict: { kind: 'retry', dueInMs: 5_000 } }]);
    await stage.sender.stop();
  });
});

describe('rounds', () => {
  it('follow each other every second, and within 50 ms of a hint', async () => {
    const { store, sender, clock } = senderStage();
    sender.start();
    await clock.advance(3_000);
    expect(store.limits).toHaveLength(4);
    await clock.advance(500);
    for (let hints = 0; hints < 100; hints += 1) sender.hint();
    await clock.advance(0);
    expect(store.limits).toHaveLength(5);
    for (let hints = 0; hints < 100; hints += 1) sender.hint();
    await clock.advance(49);
    expect(store.limits).toHaveLength(5);
    await clock.advance(1);
    expect(store.limits).toHaveLength(6);
    store.nextDueInMs = 250;
    await clock.advance(1_000);
    store.limits.length = 0;
    await clock.advance(1_000);
    expect(store.limits).toHaveLength(4);
    await sender.stop();
  });

  it('never run twice at once', async () => {
    const { store, sender, clock, delivery } = senderStage();
    const claim = heldBack<readonly ClaimedDelivery[]>();
    store.claims.push(claim.promise);
    sender.start();
    for (let second = 0; second < 5; second += 1) {
      sender.hint();
      await clock.advance(1_000);
    }
    expect(store.limits).toHaveLength(1);
    claim.resolve([delivery()]);
    await clock.advance(50);
    expect(store.finished).toHaveLength(1);
    expect(store.mostClaimsAtOnce).toBe(1);
    await sender.stop();
  });

  it('go on after the store was away', async () => {
    const { store, sender, clock, delivery } = senderStage();
    store.claims.push(new Error('Postgres is away'), new Error('Postgres is away'), [delivery()]);
    sender.start();
    await clock.advance(3_000);
    expect(store.finished).toHaveLength(1);
    await sender.stop();
  });

  it('claim no more than there are slots, and none when all are taken', async () => {
    const stage = senderStage({ concurrency: 10 });
    const { store, sender, clock, delivery } = stage;
    stage.answer = never;
    const { accountId } = delivery();
    store.claims.push(Array.from({ length: 6 }, () => delivery({ laneIsHealthy: false, accountId })));
    sender.start();
    await clock.advance(50);
    expect(store.limits).toEqual([
      { freeSlots: 10, freeSlotsForHealthyLanes: 2, perAccount: { most: 3, inFlight: new Map() } },
      {
        freeSlots: 4,
        freeSlotsForHealthyLanes: 2,
        perAccount: { most: 3, inFlight: new Map([[accountId, 6]]) },
      },
    ]);
    store.claims.push(Array.from({ length: 4 }, () => delivery()));
    await clock.advance(1_000);
    const asked = store.limits.length;
    await clock.advance(5_000);
    expect(store.limits).toHaveLength(asked);
    const stopped = sender.stop();
    await clock.advance(6_000);
    await stopped;
  });
});

describe('an outcome', () => {
  it('is stored once Postgres is back', async () => {
    const { store, sender, clock, delivery, requests } = senderStage();
    store.claims.push([delivery()]);
    store.finishErrors = 3;
    sender.start();
    await clock.advance(3_000);
    expect(requests).toHaveLength(1);
    expect(store.finished).toMatchObject([{ verdict: { kind: 'delivered' } }]);
    await sender.stop();
  });

  it('is given up while the claim still lasts, so that the delivery is sent again', async () => {
    const { store, sender, clock, delivery } = senderStage({ concurrency: 1 });
    store.claims.push([delivery()]);
    store.finishErrors = Number.POSITIVE_INFINITY;
    sender.start();
    await clock.advance(60_000);
    expect(store.finished).toEqual([]);
    store.finishErrors = 0;
    store.claims.push([delivery({ attempt: 2 })]);
    await clock.advance(1_000);
    expect(store.finished).toMatchObject([{ attempt: 2 }]);
    await sender.stop();
  });
});

describe('a sender that stops', () => {
  it('claims nothing more and lets requests in flight end', async () => {
    const stage = senderStage();
    const { store, sender, clock, delivery } = stage;
    const response = heldBack<EgressResponse>();
    stage.answer = () => response.promise;
    store.claims.push([delivery()]);
    sender.start();
    await clock.advance(0);
    const stopped = sender.stop();
    store.claims.push([delivery()]);
    await clock.advance(2_000);
    expect(store.finished).toEqual([]);
    response.resolve({ status: 204, headers: {}, body: Buffer.alloc(0), truncated: false });
    await stopped;
    expect(store.finished).toMatchObject([{ status: 204, verdict: { kind: 'delivered' } }]);
    expect(store.claims).toHaveLength(1);
  });

  it('gives requests 5 seconds, and records the others as failed', async () => {
    const stage = senderStage();
    const { store, sender, clock, delivery } = stage;
    stage.answer = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new EgressError('aborted', 'the request was aborted')));
      });
    store.claims.push([delivery()]);
    sender.start();
    await clock.advance(0);
    const stopped = sender.stop();
    await clock.advance(4_999);
    expect(store.finished).toEqual([]);
    await clock.advance(1);
    await stopped;
    expect(store.finished).toMatchObject([{ error: 'timeout', verdict: { kind: 'retry' } }]);
  });
});
