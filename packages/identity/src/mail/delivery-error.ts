import { z } from 'zod';

/** The error fields of nodemailer that we log. */
const failureSchema = z.object({
  /** The kind, such as `EENVELOPE` or `ESOCKET`. */
  code: z.string().optional().catch(undefined),
  /** The system's or TLS's code, such as `ECONNREFUSED`. */
  originalCode: z.string().optional().catch(undefined),
  /** The SMTP command that failed, such as `RCPT TO`. */
  command: z.string().optional().catch(undefined),
  /** The server's reply. */
  response: z.string().optional().catch(undefined),
});

/** The reply code (RFC 5321), and the enhanced status code (RFC 3463) if there is one. */
const REPLY_CODES = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3}(?!\S))?/;

/**
 * Why an e-mail was not delivered, in codes alone. Servers quote the recipient in their replies in any format, and so
 * does the library; the error goes into the log, which must not contain addresses.
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** The server rejects this recipient or this text for ever. Its other rejections may be about our settings. */
  readonly isPermanent: boolean;

  constructor(failure: unknown) {
    const { code, originalCode, command, response } = failureSchema.catch({}).parse(failure);
    const reply = REPLY_CODES.exec(response ?? '')?.[0];
    const codes = [code, originalCode, command, reply].filter((each) => each !== undefined);
    super(`the mail server rejected the e-mail: ${codes.length === 0 ? 'unknown' : codes.join(', ')}`);
    this.isPermanent = (command === 'RCPT TO' || command === 'DATA') && (reply ?? '').startsWith('5');
  }
}
