import { z } from 'zod';
import { COMPONENTS } from './agent-settings/index.ts';
import { PROVIDERS } from './providers.ts';

const NAME = new RegExp(
  `^(?:${PROVIDERS.join('|')}):(?:${COMPONENTS.join('|')}):[A-Za-z0-9._-]{1,120}:[^\\s:@]{1,600}(?:@[A-Za-z0-9._-]{1,80})?$`,
);

/** The name of a breaker: a provider's model at a credential, for all calls or for those of an account or agent version. */
export const breakerNameSchema = z
  .string()
  .regex(NAME, 'must be <provider>:<component>:<credential>:<model>')
  .brand<'BreakerName'>();

export type BreakerName = z.output<typeof breakerNameSchema>;
