import { z } from 'zod';

const address = z.string();

/**
 * What an e-mail is about, before its words are written. It waits sealed: it has the recipient, and the token of a link.
 * Processes of two versions share what waits: each ignores fields that it does not know.
 */
export const emailContentSchema = z.discriminatedUnion('kind', [
  /** Its link is created when it is sent. Then no token waits, and a request does the same for an unknown address. */
  z.object({ kind: z.literal('password_reset'), to: address }),
  z.object({ kind: z.literal('email_verification'), to: address, userId: z.guid(), token: z.string() }),
  z.object({
    kind: z.literal('invitation'),
    to: address,
    token: z.string(),
    accountName: z.string(),
    inviterName: z.string(),
    inviterEmail: z.string(),
  }),
]);
/** What this version can write. A newer version adds kinds, and its processes send those. */
export const EMAIL_KINDS: readonly string[] = [
  ...emailContentSchema.options.map(({ shape }) => shape.kind.value),
  'notice',
];
export type EmailContent = z.output<typeof emailContentSchema>;

/** An e-mail that is to be sent. */
export interface NewEmail {
  readonly content: EmailContent;
  /** The account that sends it, which takes turns with others. Null: it lets a user sign in, and goes first. */
  readonly accountId: string | null;
  /** It is not sent after this time. */
  readonly lifetimeSeconds: number;
}
