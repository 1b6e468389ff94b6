import type { IncomingMessage } from 'node:http';
import { accountIdSchema, agentIdSchema, tryIdSchema, type AgentId, type TryId } from '@outdial/contracts';
import { targetPath } from '../http/target-path.ts';
import { tryNotFound } from '../routes/tries/refusals.ts';
import { opensWebSocket } from '../sockets/opens-websocket.ts';

/** Beside the routes of the try that it belongs to. */
const PATH = /^\/api\/dashboard\/accounts\/([^/]+)\/agents\/([^/]+)\/try\/([^/]+)\/sound$/;

/** Whether the request opens a WebSocket for the sound of a try. */
export function isTrySoundRequest(request: IncomingMessage): boolean {
  return opensWebSocket(request, PATH);
}

/** The parameters of its path. @throws ApiError `try_not_found` */
export function trySoundParams(request: IncomingMessage): {
  readonly account_id: string;
  readonly agentId: AgentId;
  readonly tryId: TryId;
} {
  const [, accountId, agent, id] = PATH.exec(targetPath(request.url ?? '')) ?? [];
  const account = accountIdSchema.safeParse(accountId);
  const agentId = agentIdSchema.safeParse(agent);
  const tryId = tryIdSchema.safeParse(id);
  if (!agentId.success || !tryId.success) throw tryNotFound();
  return { account_id: account.success ? account.data : '', agentId: agentId.data, tryId: tryId.data };
}
