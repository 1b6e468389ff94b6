import type { Logger } from '@outdial/kernel';
import { maskEmail, type Mailer } from './mailer.ts';

/** Logs links when no mail server is configured, so that the operator can pass them on. */
export function createLogMailer(logger: Logger): Mailer {
  return {
    async send({ to, subject, link }) {
      logger.warn(
        { event: 'email.link_not_sent', to: maskEmail(to), subject, link },
        'no mail server is configured: this link was not sent',
      );
    },
    close() {},
  };
}
