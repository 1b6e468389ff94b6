import { z } from 'zod';

/**
 * A path of the dashboard itself: a link to the sign-in must not lead anywhere else afterwards. Browsers leave tabs and
 * line breaks out of addresses: a slash, a tab and a slash would name another host.
 */
const ownPathSchema = z.string().regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u);

export const signInSearchSchema = z.object({
  /** Where to go once signed in. */
  next: ownPathSchema.optional().catch(undefined),
  /** What the token in the fragment is for; without it, an invitation. */
  link: z.literal('email_verification').optional().catch(undefined),
  notice: z.literal('password-changed').optional().catch(undefined),
});
