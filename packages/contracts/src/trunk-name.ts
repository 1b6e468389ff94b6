import { z } from 'zod';

/** Names a trunk for good: it is stored with every call that went over it. */
export const trunkNameSchema = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
    'must be 1 to 40 lowercase letters, digits and hyphens, such as "main-1"',
  )
  .brand<'TrunkName'>();

export type TrunkName = z.output<typeof trunkNameSchema>;
