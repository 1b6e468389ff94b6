import { z } from 'zod';

/** What the mail library says of a failure, beside the words. */
const failureSchema = z.object({
  /** The kind, such as `EENVELOPE` or `ESOCKET`. */
  code: z.string().optional().catch(undefined),
  /** Of the system or of TLS, such as `ECONNREFUSED`. */
  originalCode: z.string().optional().catch(undefined),
  /** What was being said, such as `RCPT TO`. */
  command: z.string().optional().catch(undefined),
  /** What the server answered. */
  response: z.string().optional().catch(undefined),
});

/** The reply code of RFC 5321, and the enhanced one of RFC 3463 where there is one. */
const REPLY_CODES = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3}(?!\S))?/;

/**
 * Why a letter was not handed over, in codes alone. Servers quote the recipient in their answers, in any shape they like,
 * and the library in its own words too; an error goes into the log, where nobody's address has any business.
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';

  constructor(failure: unknown) {
    const { code, originalCode, command, response } = failureSchema.catch({}).parse(failure);
    const reply = REPLY_CODES.exec(response ?? '')?.[0];
    const codes = [code, originalCode, command, reply].filter((each) => each !== undefined);
    super(`the mail server did not take the letter: ${codes.length === 0 ? 'unknown' : codes.join(', ')}`);
  }
}
