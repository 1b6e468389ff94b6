import { z } from 'zod';

/** A path of the dashboard itself: a link to the sign-in must not lead anywhere else afterwards. */
const ownPathSchema = z.string().regex(/^\/(?![/\\])[^\\]*$/);

export const signInSearchSchema = z.object({
  /** Where to go once signed in. */
  next: ownPathSchema.optional().catch(undefined),
  notice: z.literal('password-changed').optional().catch(undefined),
});
