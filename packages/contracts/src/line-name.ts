import { z } from 'zod';
import { COMPONENTS } from './agent-settings/index.ts';

/** The name of a line: one credential, or one group of them, for one component. */
export const lineNameSchema = z
  .string()
  .regex(
    new RegExp(`^cred:[A-Za-z0-9._-]{1,120}:(?:${COMPONENTS.join('|')})$`),
    'must be cred:<credential>:<component>',
  )
  .brand<'LineName'>();

export type LineName = z.output<typeof lineNameSchema>;
