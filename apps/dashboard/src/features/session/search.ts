import { z } from 'zod';

/**
 * A path within the dashboard: a link to the sign-in page must not redirect to another host. Browsers strip tabs and
 * line breaks from URLs, so slash-tab-slash would name another host.
 */
const ownPathSchema = z.string().regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u);

export const signInSearchSchema = z.object({
  /** The path to open after sign-in. */
  next: ownPathSchema.optional().catch(undefined),
  /** The purpose of the token in the fragment. Absent: an invitation. */
  link: z.literal('email_verification').optional().catch(undefined),
  notice: z.literal('password-changed').optional().catch(undefined),
});
