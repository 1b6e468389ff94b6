import type { AccountId } from '@outdial/contracts';
import { createPacer, pause } from '@outdial/kernel';
import type { FinishedAttempt } from '../ports/webhook-store.ts';
import { claimLimits, mostOfAccount, readBodies, type ReadyDelivery } from './claim-round.ts';
import { makeAttempt } from './make-attempt.ts';
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
  const inFlight = new Set<Promise<void>>();
  const givingUp = new AbortController();
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
      for (const ready of await readBodies(store, deliveries)) begin(ready);
      return nextDueInMs;
    } catch (error) {
      logger.warn({ event: 'webhook.round_failed', err: error }, 'a round of webhooks failed; the next one follows');
      return null;
    }
  }

  function begin(ready: ReadyDelivery): void {
    const share = ready.delivery.laneIsHealthy ? 0 : 1;
    unhealthy += share;
    count(ready.delivery.accountId, 1);
    const delivering = deliver(ready).finally(() => {
      unhealthy -= share;
      count(ready.delivery.accountId, -1);
      inFlight.delete(delivering);
      pacer.hint();
    });
    inFlight.add(delivering);
  }

  function count(accountId: AccountId, change: 1 | -1): void {
    const inFlightNow = (byAccount.get(accountId) ?? 0) + change;
    if (inFlightNow > 0) byAccount.set(accountId, inFlightNow);
    else byAccount.delete(accountId);
  }

  async function deliver(ready: ReadyDelivery): Promise<void> {
    const attempt = await makeAttempt(deps, ready, givingUp.signal);
    observer.attempted(attempt.verdict.kind);
    await finish(attempt);
  }

  /** Repeated while the claim lasts. After that the delivery is sent again, with the same id and bytes. */
  async function finish(attempt: FinishedAttempt): Promise<void> {
    const untilMs = clock.monotonicMs() + timings.finishWithinMs;
    for (;;) {
      try {
        await store.finish(attempt);
        return;
      } catch (error) {
        logger.warn({ event: 'webhook.finish_failed', err: error }, 'the outcome of a webhook could not be stored');
      }
      if (givingUp.signal.aborted || clock.monotonicMs() >= untilMs) return;
      await pause(clock, timings.finishAgainEveryMs, givingUp.signal);
    }
  }

  const idle = async () => {
    while (inFlight.size > 0) await Promise.all(inFlight);
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
