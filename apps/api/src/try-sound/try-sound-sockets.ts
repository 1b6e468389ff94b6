import { randomUUID } from 'node:crypto';
import type { TrySoundClose } from '@outdial/contracts';
import { withDeadline } from '@outdial/kernel';
import type { TryRecord, TryStore } from '@outdial/persistence';
import { WebSocketServer } from 'ws';
import { requireOwnPage } from '../dashboard/own-origin.ts';
import { serviceUnavailable } from '../http/api-error.ts';
import type { InFlightRequests } from '../http/in-flight-requests.ts';
import type { AccessChecks, MemberPrincipal, Message } from '../http/principal.ts';
import type { UpgradeHandler } from '../http/protocol-errors.ts';
import type { OpenStreams } from '../live/open-streams.ts';
import { mediumDiffers, tryNotFound } from '../routes/tries/refusals.ts';
import { createEnding } from '../sockets/ending.ts';
import { handshake } from '../sockets/handshake.ts';
import { trySoundParams } from './try-sound-request.ts';
import { TrySound, type TrySoundDeps } from './try-sound.ts';

export interface TrySoundSocketsDeps extends TrySoundDeps {
  readonly accessChecks: Pick<AccessChecks, 'member'>;
  readonly publicOrigin: () => string;
  readonly store: Pick<TryStore, 'find'>;
  readonly streams: Pick<OpenStreams, 'hold'>;
  readonly inFlight: Pick<InFlightRequests, 'begin' | 'end'>;
  /** Aborts when this process stops. */
  readonly stopping: AbortSignal;
}

interface Admitted {
  readonly principal: MemberPrincipal;
  readonly record: TryRecord;
}

/** Like every answer. */
const BUDGET_MS = 800;
/** Above the largest message of frames, so that one of another size is closed with its own code. */
const MOST_RECEIVED_BYTES = 4_096;

/** A member talks by microphone with an agent that they try: frames of sound both ways, over a WebSocket. */
export function createTrySoundSockets(deps: TrySoundSocketsDeps): UpgradeHandler {
  const { clock, streams, stopping, inFlight } = deps;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MOST_RECEIVED_BYTES,
  });

  async function admit(request: Message): Promise<Admitted> {
    requireOwnPage(request, deps.publicOrigin());
    const { agentId, tryId, ...params } = trySoundParams(request);
    const principal = await deps.accessChecks.member(request, params);
    const record = await deps.store.find({ accountId: principal.account.id, agentId, tryId });
    // What one member says is not for another to hear.
    if (record === null || record.userId !== principal.session.user.id) throw tryNotFound();
    if (record.medium !== 'microphone') throw mediumDiffers(record.medium);
    if (stopping.aborted) throw serviceUnavailable(null);
    return { principal, record };
  }

  return async function upgrade(request, connection, head) {
    const { principal, record } = await withDeadline(clock, clock.monotonicMs() + BUDGET_MS, admit(request));
    const ending = createEnding<TrySoundClose>();
    const release = streams.hold(principal, {
      end: () => ending.end(stopping.aborted ? 'stopping' : 'access_lost'),
    });
    connection.once('close', release);
    const socket = await handshake(server, request, connection, head);
    if (socket === null) return;
    const { tryId, agentId } = record;
    const find = () => deps.store.find({ accountId: principal.account.id, agentId, tryId });
    const sound = new TrySound(deps, { tryId, connection: randomUUID(), socket, find });
    ending.onEnd((reason) => sound.close(reason));
    inFlight.begin();
    void sound.carry().finally(() => inFlight.end());
  };
}
