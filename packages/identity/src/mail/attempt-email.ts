import { withDeadline, type Clock, type Logger } from '@outdial/kernel';
import { DeliveryError } from './delivery-error.ts';
import type { ClaimedEmail, FinishedEmail } from './email-store.ts';
import type { Email, Mailer } from './mailer.ts';
import { delayAfter, MAX_ATTEMPTS } from './retry-schedule.ts';

export interface AttemptDeps {
  /** Null: its link no longer works. @throws UnreadableEmail */
  readonly compose: (email: ClaimedEmail) => Promise<Email | null>;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What an e-mail says cannot be read: it was sealed with another key. */
export class UnreadableEmail extends Error {
  override readonly name = 'UnreadableEmail';
}

/** Never rejects. @param attemptMs an attempt that takes longer counts as failed */
export async function attemptEmail(
  { compose, mailer, clock, logger }: AttemptDeps,
  claimed: ClaimedEmail,
  attemptMs: number,
): Promise<FinishedEmail['outcome']> {
  const { id, kind, attempts, expiresInMs } = claimed;

  async function deliver(): Promise<'sent' | 'dropped'> {
    const email = await compose(claimed);
    if (email === null) return 'dropped';
    await mailer.send(email, id);
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
    const dueInMs = delayAfter(attempts, Math.random());
    const isFinal = error instanceof UnreadableEmail || (error instanceof DeliveryError && error.isPermanent);
    if (isFinal || dueInMs === null || dueInMs >= expiresInMs) return giveUp(error);
    logger.debug(
      { event: 'email.not_delivered', err: error, kind, attempts },
      'an e-mail was not delivered; it is sent again',
    );
    return { dueInMs };
  }
}
