import { setMaxListeners } from 'node:events';
import type { AccountId } from '@outdial/contracts';
import { createPacer, pause } from '@outdial/kernel';
import type { ClaimedDelivery } from '../ports/webhook-store.ts';
import { claimLimits, mostOfAccount } from './claim-limits.ts';
import { makeAttempt } from './make-attempt.ts';
import { readBodies, type ReadyDelivery } from './read-bodies.ts';
import type { SenderDeps } from './sender-deps.ts';

/** Sends what is due, in rounds. Any number of processes send at once: the store shares the deliveries out. */
export interface WebhookSender {
  start(): void;
  /** Something may be due now. Hints only hurry: without them a round follows every second. */
  hint(): void;
  /** Claims nothing more. Requests in flight have `stopWithinMs`, then they count as failed. Never rejects. */
  stop(): Promise<void>;
}

export function createWebhookSender(deps: SenderDeps): WebhookSender {
  const { store, concurrency, observer, clock, logger, timings } = deps;
  /** Requests, until their outcome is stored. */
  const inFlight = new Set<Promise<void>>();
  /** Those, and claims that are being released. */
  const underWay = new Set<Promise<void>>();
  const givingUp = new AbortController();
  // Every request in flight listens to it, and Node takes more than ten listeners for a leak.
  setMaxListeners(0, givingUp.signal);
  const pacer = createPacer({ round, everyMs: timings.roundEveryMs, gapMs: timings.roundGapMs, clock });
  /** Of those in flight: to lanes whose last attempt failed. */
  let unhealthy = 0;
  const byAccount = new Map<AccountId, number>();
  const most = mostOfAccount(concurrency);
  let isStopping = false;

  async function round(): Promise<number | null> {
    const limits = claimLimits(concurrency, { total: inFlight.size, unhealthy });
    if (limits === null || isStopping) return null;
    try {
      const { deliveries, hasMoreLanes, nextDueInMs } = await store.claim({
        ...limits,
        perAccount: { most, inFlight: new Map(byAccount) },
      });
      // A lane gives a few at a time: there may be more.
      if (deliveries.length > 0 || hasMoreLanes) pacer.hint();
      for await (const part of readBodies(store, deliveries)) {
        if (part.kind === 'ready') for (const ready of part.deliveries) begin(ready);
        else giveUp(part.deliveries, part.error);
      }
      return nextDueInMs;
    } catch (error) {
      roundFailed(error);
      return null;
    }
  }

  function roundFailed(error: unknown): void {
    logger.warn({ event: 'webhook.round_failed', err: error }, 'a round of webhooks failed; the next one follows');
  }

  /** A store that is away takes no tries of what was claimed. */
  function giveUp(deliveries: readonly ClaimedDelivery[], error: unknown): void {
    roundFailed(error);
    const releasing = whileClaimed(() => store.release(deliveries), {
      event: 'webhook.release_failed',
      text: 'webhooks that were claimed could not be released',
    }).finally(() => underWay.delete(releasing));
    underWay.add(releasing);
  }

  function begin(ready: ReadyDelivery): void {
    const share = ready.delivery.laneIsHealthy ? 0 : 1;
    unhealthy += share;
    count(ready.delivery.accountId, 1);
    const delivering = deliver(ready)
      .catch((error: unknown) =>
        // Whatever it is, it must not end the process, which may have calls.
        logger.error({ event: 'webhook.attempt_failed', err: error }, 'an attempt of a webhook failed by a defect'),
      )
      .finally(() => {
        unhealthy -= share;
        count(ready.delivery.accountId, -1);
        inFlight.delete(delivering);
        underWay.delete(delivering);
        pacer.hint();
      });
    inFlight.add(delivering);
    underWay.add(delivering);
  }

  function count(accountId: AccountId, change: 1 | -1): void {
    const inFlightNow = (byAccount.get(accountId) ?? 0) + change;
    if (inFlightNow > 0) byAccount.set(accountId, inFlightNow);
    else byAccount.delete(accountId);
  }

  async function deliver(ready: ReadyDelivery): Promise<void> {
    const attempt = await makeAttempt(deps, ready, givingUp.signal);
    // The store ends what has no try left.
    const isLast = attempt.verdict.kind === 'retry' && ready.delivery.triesLeft <= 0;
    observer.attempted(isLast ? 'failed' : attempt.verdict.kind);
    await whileClaimed(() => store.finish(attempt), {
      event: 'webhook.finish_failed',
      text: 'the outcome of a webhook could not be stored',
    });
  }

  /** Repeated while the claim lasts. After that the delivery is sent again, with the same id and bytes. */
  async function whileClaimed(
    write: () => Promise<void>,
    failure: { readonly event: 'webhook.finish_failed' | 'webhook.release_failed'; readonly text: string },
  ): Promise<void> {
    const untilMs = clock.monotonicMs() + timings.finishWithinMs;
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        logger.warn({ event: failure.event, err: error }, failure.text);
      }
      if (givingUp.signal.aborted || clock.monotonicMs() >= untilMs) return;
      await pause(clock, timings.finishAgainEveryMs, givingUp.signal);
    }
  }

  const idle = async () => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  async function stop(): Promise<void> {
    isStopping = true;
    const expired = pause(clock, timings.stopWithinMs);
    // A store that hangs holds the round and the outcomes up, but not the process.
    const done = pacer.stop().then(idle);
    await Promise.race([done, expired]);
    givingUp.abort();
    await Promise.race([done, pause(clock, timings.finishAgainEveryMs)]);
  }

  return { start: () => pacer.start(), hint: () => pacer.hint(), stop };
}
