import { createTransport } from 'nodemailer';
import { DeliveryError } from './delivery-error.ts';
import type { Mailer } from './mailer.ts';

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://`. */
  readonly url: string;
  /** The sender, such as `Outdial <calls@example.com>`. */
  readonly from: string;
}

/** A server that is unreachable or silent for this long fails the delivery. */
const TIMEOUT_MS = 10_000;

export function createSmtpMailer({ url, from }: SmtpOptions): Mailer {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url, ...timeouts });
  const domain = /@([^\s@<>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ to, subject, text }, id) {
      // As one address and not as an address list: the local part may contain a comma.
      const email = { from, to: { name: '', address: to }, subject, text, messageId: `<${id}@${domain}>` };
      await transport.sendMail(email).catch((error: unknown) => {
        throw new DeliveryError(error);
      });
    },
    close: () => transport.close(),
  };
}
