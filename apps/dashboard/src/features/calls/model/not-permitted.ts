import type { CallEventBody } from '@outdial/contracts';
import { z } from 'zod';

/** Where the user can remove the obstacle. */
export type Obstacle = 'agents' | 'numbers' | 'none';

export interface NotPermitted {
  readonly text: string;
  readonly obstacle: Obstacle;
}

const UNKNOWN: NotPermitted = {
  text: 'Your account could no longer place this call. Place it again to see what is missing.',
  obstacle: 'none',
};

/** By the code that a request for the same call would have received. */
const REFUSALS: Readonly<Record<string, NotPermitted>> = {
  agent_access_denied: {
    text: 'Your account lost access to the agent, or the agent was deleted. Choose another agent.',
    obstacle: 'agents',
  },
  from_number_not_allowed: {
    text: 'Your account may no longer call from this number. Choose another number, or turn on outbound calls for this one.',
    obstacle: 'numbers',
  },
  no_outbound_number: {
    text: 'Your account had no number to call from. Turn on outbound calls for one of your numbers.',
    obstacle: 'numbers',
  },
  destination_not_allowed: {
    text: 'The called number has no rate or is blocked for your account. Ask your operator to allow the destination.',
    obstacle: 'none',
  },
  provider_not_configured: {
    text: 'The agent had no credential for its model. Add a credential for the provider, or choose another agent.',
    obstacle: 'agents',
  },
  model_not_priced: {
    text: 'The agent uses a model without a price. Choose another agent, or ask your operator for a rate of its model.',
    obstacle: 'agents',
  },
  account_disabled: {
    text: 'Your account was disabled. Ask your operator to enable it, then place the call again.',
    obstacle: 'none',
  },
  invalid_request: {
    text: 'The agent or the limits of your account changed, so that the call no longer fits them. Place it again.',
    obstacle: 'agents',
  },
};

const dataSchema = z.object({ code: z.string() });

/** Why the call was not permitted, by its timeline, and what to do. */
export function notPermittedOf(events: readonly CallEventBody[]): NotPermitted {
  const ended = events.findLast(({ type }) => type === 'ended');
  const code = dataSchema.safeParse(ended?.data).data?.code;
  return code !== undefined && Object.hasOwn(REFUSALS, code) ? (REFUSALS[code] ?? UNKNOWN) : UNKNOWN;
}
