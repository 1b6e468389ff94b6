import { createPacer, pause } from '@outdial/kernel';
import { attemptEmail, type AttemptDeps } from './attempt-email.ts';
import type { ClaimedEmail, ClaimedEmails, ClaimLimits, FinishedEmail } from './email-store.ts';
import { createMailReports } from './mail-reports.ts';

/** `retry`: another attempt follows. `failed`: none does. `dropped`: its link no longer works. */
export type EmailOutcome = 'sent' | 'retry' | 'failed' | 'dropped';

export interface MailSenderDeps extends AttemptDeps {
  readonly store: {
    claim(limits: ClaimLimits): Promise<ClaimedEmails>;
    finish(email: FinishedEmail): Promise<void>;
    /** Writes e-mails for notices that have none yet. */
    announceNotices(): Promise<number>;
  };
  readonly onAttempt: (outcome: EmailOutcome) => void;
  readonly timings?: Partial<MailTimings>;
}

export interface MailTimings {
  readonly roundEveryMs: number;
  readonly noticesEveryMs: number;
  /** An attempt that takes longer counts as failed. It ends before its claim. */
  readonly attemptMs: number;
  readonly finishAgainEveryMs: number;
  readonly stopWithinMs: number;
}

const TIMINGS: MailTimings = {
  roundEveryMs: 1_000,
  noticesEveryMs: 10_000,
  attemptMs: 30_000,
  finishAgainEveryMs: 1_000,
  stopWithinMs: 2_000,
};
const ROUND_GAP_MS = 50;
/** Concurrent e-mails of a process. Those of accounts leave half of the places to users who sign in. */
const PLACES = { most: 8, mostOfAccounts: 4, mostPerAccount: 2 } as const;
/** While the claim lasts. */
const FINISH_TRIES = 20;

/** Sends what waits, in rounds. Any number of processes send at once: Postgres shares the e-mails out. */
export interface MailSender {
  start(): void;
  /** Something may be due now. Hints only hurry. */
  hint(): void;
  /** Claims nothing more. E-mails in flight have two seconds; another process sends what they leave. Never rejects. */
  stop(): Promise<void>;
}

export function createMailSender(deps: MailSenderDeps): MailSender {
  const { store, clock, logger, onAttempt } = deps;
  const timings = { ...TIMINGS, ...deps.timings };
  const reports = createMailReports({ logger, clock });
  const pacer = createPacer({ round, everyMs: timings.roundEveryMs, gapMs: ROUND_GAP_MS, clock });
  const inFlight = new Set<Promise<void>>();
  const byAccount = new Map<string, number>();
  const givingUp = new AbortController();
  let ofAccounts = 0;
  let afterAccount: string | null = null;
  let noticesDueMs = Number.NEGATIVE_INFINITY;
  let isAway = false;
  let isStopping = false;

  async function round(): Promise<null> {
    const most = PLACES.most - inFlight.size;
    if (most <= 0 || isStopping) return null;
    try {
      if (clock.monotonicMs() >= noticesDueMs) {
        // First: a statement that fails must not fail each round.
        noticesDueMs = clock.monotonicMs() + timings.noticesEveryMs;
        await store.announceNotices();
      }
      const mostOfAccounts = Math.max(0, PLACES.mostOfAccounts - ofAccounts);
      const { mostPerAccount } = PLACES;
      const limits = { most, mostOfAccounts, mostPerAccount, inFlight: byAccount, afterAccount };
      const { emails, lastAccount } = await store.claim(limits);
      // While the accounts' places are taken, the next account in turn stays the next one.
      if (mostOfAccounts > 0) afterAccount = lastAccount;
      if (emails.length > 0 || (mostOfAccounts > 0 && lastAccount !== null)) pacer.hint();
      for (const email of emails) begin(email);
      isAway = false;
    } catch (error) {
      logger[isAway ? 'debug' : 'warn'](
        { event: 'email.round_failed', err: error },
        'e-mails could not be read; the next round follows',
      );
      isAway = true;
    }
    return null;
  }

  function begin(email: ClaimedEmail): void {
    count(email.accountId, 1);
    const sending = send(email).finally(() => {
      count(email.accountId, -1);
      inFlight.delete(sending);
      pacer.hint();
    });
    inFlight.add(sending);
  }

  function count(accountId: string | null, change: 1 | -1): void {
    if (accountId === null) return;
    ofAccounts += change;
    const now = (byAccount.get(accountId) ?? 0) + change;
    if (now > 0) byAccount.set(accountId, now);
    else byAccount.delete(accountId);
  }

  async function send(claimed: ClaimedEmail): Promise<void> {
    const { id, attempts } = claimed;
    const outcome = await attemptEmail({ ...deps, reports }, claimed, timings.attemptMs);
    onAttempt(typeof outcome === 'object' ? 'retry' : outcome);
    await finish({ id, attempts, outcome });
  }

  /** Repeated while the claim lasts. After that the e-mail is sent again, with the same id. */
  async function finish(finished: FinishedEmail): Promise<void> {
    for (let tries = 0; tries < FINISH_TRIES && !givingUp.signal.aborted; tries += 1) {
      try {
        return await store.finish(finished);
      } catch (error) {
        logger.debug({ event: 'email.finish_failed', err: error }, 'the outcome of an e-mail could not be stored');
        await pause(clock, timings.finishAgainEveryMs, givingUp.signal);
      }
    }
  }

  const idle = async () => {
    while (inFlight.size > 0) await Promise.all(inFlight);
  };

  async function stop(): Promise<void> {
    isStopping = true;
    await Promise.race([pacer.stop().then(idle), pause(clock, timings.stopWithinMs)]);
    givingUp.abort();
  }

  return { start: () => pacer.start(), hint: () => pacer.hint(), stop };
}
