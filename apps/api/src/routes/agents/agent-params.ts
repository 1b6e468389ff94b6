import { agentIdSchema } from '@outdial/contracts';
import { z } from 'zod';
import { ApiError } from '../../http/api-error.ts';

/** The agent that a path names. */
export const agentParams = z.object({ agent_id: agentIdSchema.describe('The agent.') });

/** The same for an unknown agent and for another account's agent: the response reveals no agent. */
export function agentNotFound(publicMessage: string): ApiError {
  return new ApiError({ code: 'agent_not_found', publicMessage, param: 'agent_id' });
}

/** For what only the owner of an agent sees. */
export function agentNotOwned(): ApiError {
  return agentNotFound('Your account does not own an agent with this ID.');
}
