import { withDeadline, type Clock } from '@outdial/kernel';
import { WebSocketServer, type WebSocket } from 'ws';
import { requireOwnPage } from '../dashboard/own-origin.ts';
import { serviceUnavailable } from '../http/api-error.ts';
import type { InFlightRequests } from '../http/in-flight-requests.ts';
import type { AccessChecks, MemberPrincipal, Message } from '../http/principal.ts';
import type { UpgradeHandler } from '../http/protocol-errors.ts';
import type { OpenStreams } from '../live/open-streams.ts';
import { createEnding, type Ending } from './ending.ts';
import { handshake } from './handshake.ts';

export interface MemberSocketsDeps {
  readonly clock: Clock;
  readonly accessChecks: Pick<AccessChecks, 'member'>;
  readonly publicOrigin: () => string;
  readonly streams: Pick<OpenStreams, 'hold'>;
  readonly inFlight: Pick<InFlightRequests, 'begin' | 'end'>;
  /** Aborts when this process stops. */
  readonly stopping: AbortSignal;
}

/** In what one kind of WebSocket differs from another. */
export interface MemberSockets<Admitted extends { readonly principal: MemberPrincipal }, Close> {
  readonly mostReceivedBytes: number;
  /** Throws if this member may not. It runs after the checks of the page's origin. */
  readonly admit: (request: Message) => Promise<Admitted>;
  /** Resolves once the connection is over. Never rejects. */
  readonly serve: (
    socket: WebSocket,
    admitted: Admitted,
    ending: Ending<Close | 'stopping' | 'access_lost'>,
  ) => Promise<void>;
}

/** Like every answer. */
const BUDGET_MS = 800;

/**
 * WebSockets of pages of the dashboard, which end with the right to them and with this process. Who may not open one
 * receives an error in the usual format instead of the upgrade; what a member should see in the page comes as the code
 * of the close.
 */
export function createMemberSockets<Admitted extends { readonly principal: MemberPrincipal }, Close>(
  { clock, publicOrigin, streams, inFlight, stopping }: MemberSocketsDeps,
  { mostReceivedBytes, admit, serve }: MemberSockets<Admitted, Close>,
): UpgradeHandler {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: mostReceivedBytes,
  });

  async function check(request: Message): Promise<Admitted> {
    requireOwnPage(request, publicOrigin());
    const admitted = await admit(request);
    if (stopping.aborted) throw serviceUnavailable(null);
    return admitted;
  }

  return async function upgrade(request, connection, head) {
    const admitted = await withDeadline(clock, clock.monotonicMs() + BUDGET_MS, check(request));
    const ending = createEnding<Close | 'stopping' | 'access_lost'>();
    const release = streams.hold(admitted.principal, {
      end: () => ending.end(stopping.aborted ? 'stopping' : 'access_lost'),
    });
    connection.once('close', release);
    const socket = await handshake(server, request, connection, head);
    if (socket === null) return;
    inFlight.begin();
    void serve(socket, admitted, ending).finally(() => inFlight.end());
  };
}
