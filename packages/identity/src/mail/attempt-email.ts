import { withDeadline, type Clock, type Logger } from '@outdial/kernel';
import { DeliveryError } from './delivery-error.ts';
import type { ClaimedEmail, FinishedEmail } from './email-store.ts';
import type { MailReports } from './mail-reports.ts';
import type { Email, Mailer } from './mailer.ts';
import { delayAfter, MAX_ATTEMPTS } from './retry-schedule.ts';

export interface AttemptDeps {
  /** Null: its link no longer works. @throws UnreadableEmail */
  readonly compose: (email: ClaimedEmail) => Promise<Email | null>;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** This process cannot read what an e-mail says: it has another key, or it is of another version. Another process may. */
export class UnreadableEmail extends Error {
  override readonly name = 'UnreadableEmail';
}

/** Soon: a process that can read it may be next. */
const UNREAD_AGAIN_MS = 30_000;

/** Never rejects. @param attemptMs an attempt that takes longer counts as failed */
export async function attemptEmail(
  { compose, mailer, clock, logger, reports }: AttemptDeps & { readonly reports: MailReports },
  claimed: ClaimedEmail,
  attemptMs: number,
): Promise<FinishedEmail['outcome']> {
  const { id, kind, attempts, expiresInMs } = claimed;
  let isSending = false;

  async function deliver(): Promise<'sent' | 'dropped'> {
    const email = await compose(claimed);
    if (email === null) return 'dropped';
    isSending = true;
    await mailer.send(email, id);
    reports.delivered();
    return 'sent';
  }

  function giveUp(err: unknown): 'failed' {
    logger.warn({ event: 'email.given_up', err, kind, attempts }, 'an e-mail was not sent, and is not tried again');
    return 'failed';
  }

  // No attempt was in time, or its process ended during each of them.
  if (expiresInMs <= 0 || attempts > MAX_ATTEMPTS) return giveUp(undefined);
  try {
    return await withDeadline(clock, clock.monotonicMs() + attemptMs, deliver());
  } catch (error) {
    if (error instanceof UnreadableEmail) {
      reports.unreadable(error, kind);
      return { dueInMs: UNREAD_AGAIN_MS, isUnread: true };
    }
    const dueInMs = delayAfter(attempts, Math.random());
    const isFinal = error instanceof DeliveryError && error.isPermanent;
    if (isFinal || dueInMs === null || dueInMs >= expiresInMs) return giveUp(error);
    if (isSending) reports.notDelivered(error, { kind, attempts });
    else logger.debug({ event: 'email.not_composed', err: error, kind, attempts }, 'an e-mail could not be written');
    return { dueInMs };
  }
}
