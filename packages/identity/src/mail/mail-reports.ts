import type { Clock, Logger } from '@outdial/kernel';

/** The log lines about conditions that hold for many e-mails: one line, not one for each attempt. */
export interface MailReports {
  /** The mail server did not take an e-mail that it may take later. */
  notDelivered(error: unknown, about: { readonly kind: string; readonly attempts: number }): void;
  /** The mail server took an e-mail. */
  delivered(): void;
  /** This process cannot read an e-mail. */
  unreadable(error: unknown, kind: string): void;
}

const UNREADABLE_EVERY_MS = 600_000;

export function createMailReports({ logger, clock }: { readonly logger: Logger; readonly clock: Clock }): MailReports {
  let isAway = false;
  let unreadableDueMs = Number.NEGATIVE_INFINITY;
  return {
    notDelivered(err, { kind, attempts }) {
      logger[isAway ? 'debug' : 'warn'](
        { event: 'email.not_delivered', err, kind, attempts },
        'the mail server did not take an e-mail; e-mails wait until it does',
      );
      isAway = true;
    },
    delivered() {
      if (isAway) logger.warn({ event: 'email.delivered_again' }, 'the mail server takes e-mails again');
      isAway = false;
    },
    unreadable(err, kind) {
      const isDue = clock.monotonicMs() >= unreadableDueMs;
      if (isDue) unreadableDueMs = clock.monotonicMs() + UNREADABLE_EVERY_MS;
      logger[isDue ? 'warn' : 'debug'](
        { event: 'email.unreadable', err, kind },
        'this process cannot read an e-mail; it waits for a process that can, until it expires',
      );
    },
  };
}
