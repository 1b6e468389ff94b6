import { randomUUID } from 'node:crypto';
import type { CallReader } from '@outdial/calls';
import type { CallId, MonitorClose } from '@outdial/contracts';
import { withDeadline } from '@outdial/kernel';
import type { ApiMetrics } from '@outdial/metrics';
import { WebSocketServer, type WebSocket } from 'ws';
import { requireOwnPage } from '../dashboard/own-origin.ts';
import { serviceUnavailable } from '../http/api-error.ts';
import type { InFlightRequests } from '../http/in-flight-requests.ts';
import { ownAccountOf, type OwnAccountDeps } from '../http/own-account.ts';
import type { AccessChecks, MemberPrincipal, Message } from '../http/principal.ts';
import type { UpgradeHandler } from '../http/protocol-errors.ts';
import type { OpenStreams } from '../live/open-streams.ts';
import { callNotFound } from '../routes/call-params.ts';
import { createEnding, type Ending } from '../sockets/ending.ts';
import { handshake } from '../sockets/handshake.ts';
import { Monitor, type MonitorDeps } from './monitor.ts';
import { monitorParams } from './monitor-request.ts';

export interface MonitorSocketsDeps extends MonitorDeps, OwnAccountDeps {
  readonly accessChecks: Pick<AccessChecks, 'member'>;
  readonly publicOrigin: () => string;
  readonly reader: Pick<CallReader, 'find'>;
  readonly streams: Pick<OpenStreams, 'hold'>;
  readonly inFlight: Pick<InFlightRequests, 'begin' | 'end'>;
  /** Aborts when this process stops. */
  readonly stopping: AbortSignal;
  readonly metrics: Pick<ApiMetrics, 'monitorMessage' | 'monitors'>;
}

/** Like every answer. */
const BUDGET_MS = 800;
/** A monitor sends nothing; pings and pongs carry at most 125 bytes. */
const MOST_RECEIVED_BYTES = 125;

/**
 * Members listen to live calls over WebSockets. Who may not receives an error in the usual format instead of the
 * upgrade; what a member should see in the page comes as the code of the close.
 */
export function createMonitorSockets(deps: MonitorSocketsDeps): UpgradeHandler {
  const { clock, streams, stopping, metrics, inFlight } = deps;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MOST_RECEIVED_BYTES,
  });
  let open = 0;

  async function admit(request: Message): Promise<{ readonly principal: MemberPrincipal; readonly callId: CallId }> {
    requireOwnPage(request, deps.publicOrigin());
    const { callId, ...params } = monitorParams(request);
    const principal = await deps.accessChecks.member(request, params);
    if ((await deps.reader.find(principal.account.id, callId)) === null) throw callNotFound();
    if (stopping.aborted) throw serviceUnavailable(null);
    return { principal, callId };
  }

  async function listen(
    socket: WebSocket,
    principal: MemberPrincipal,
    callId: CallId,
    ending: Ending<MonitorClose>,
  ): Promise<void> {
    const accountId = principal.account.id;
    const monitor = new Monitor(deps, {
      accountId,
      callId,
      monitor: randomUUID(),
      socket,
      audit: ownAccountOf(deps, principal).monitors,
      hasEnded: async () => (await deps.reader.find(accountId, callId))?.status === 'ended',
    });
    ending.onEnd((reason) => monitor.close(reason));
    metrics.monitors((open += 1));
    inFlight.begin();
    try {
      await monitor.listen();
    } finally {
      inFlight.end();
      metrics.monitors((open -= 1));
    }
  }

  return async function upgrade(request, connection, head) {
    const { principal, callId } = await withDeadline(clock, clock.monotonicMs() + BUDGET_MS, admit(request));
    const ending = createEnding<MonitorClose>();
    const release = streams.hold(principal, {
      end: () => ending.end(stopping.aborted ? 'stopping' : 'access_lost'),
    });
    connection.once('close', release);
    const socket = await handshake(server, request, connection, head);
    if (socket !== null) void listen(socket, principal, callId, ending);
  };
}
