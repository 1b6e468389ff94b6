import { agentIdSchema } from '@outdial/contracts';
import { z } from 'zod';
import { ApiError } from '../../http/api-error.ts';

/** The agent that a path names. */
export const agentParams = z.object({ agent_id: agentIdSchema });

/** Of an agent that never was, and of one that is not the account's to see or to change: nobody learns which. */
export function agentNotFound(publicMessage: string): ApiError {
  return new ApiError({ code: 'agent_not_found', publicMessage, param: 'agent_id' });
}
