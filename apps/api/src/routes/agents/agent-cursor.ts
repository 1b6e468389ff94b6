import { agentIdSchema } from '@outdial/contracts';
import type { AgentCursor } from '@outdial/persistence';
import { invalidRequest } from '../../http/api-error.ts';

/** The agent after which a page begins. It grants no access: every page is limited to the account. */
export function writeAgentCursor({ createdAtMs, id }: AgentCursor): string {
  return `${createdAtMs}_${id}`;
}

/** @throws ApiError */
export function readAgentCursor(text: string): AgentCursor {
  const [, time = '', rest = ''] = /^(\d{1,15})_(.*)$/.exec(text) ?? [];
  const id = agentIdSchema.safeParse(rest);
  if (time !== '' && id.success) return { createdAtMs: Number(time), id: id.data };
  throw invalidRequest([{ param: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }]);
}
