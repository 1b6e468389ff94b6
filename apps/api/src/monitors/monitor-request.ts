import type { IncomingMessage } from 'node:http';
import { accountIdSchema, callIdSchema, type CallId } from '@outdial/contracts';
import { targetPath } from '../http/target-path.ts';
import { callNotFound } from '../routes/call-params.ts';
import { opensWebSocket } from '../sockets/opens-websocket.ts';

/** Beside the routes of the call that it belongs to. */
const PATH = /^\/api\/dashboard\/accounts\/([^/]+)\/outbound\/calls\/([^/]+)\/monitor$/;

/** Whether the request opens a WebSocket for the sound of a call. */
export function isMonitorRequest(request: IncomingMessage): boolean {
  return opensWebSocket(request, PATH);
}

/** The parameters of its path. @throws ApiError `call_not_found` */
export function monitorParams(request: IncomingMessage): { readonly account_id: string; readonly callId: CallId } {
  const [, accountId, id] = PATH.exec(targetPath(request.url ?? '')) ?? [];
  const callId = callIdSchema.safeParse(id);
  const account = accountIdSchema.safeParse(accountId);
  if (!callId.success) throw callNotFound();
  return { account_id: account.success ? account.data : '', callId: callId.data };
}
