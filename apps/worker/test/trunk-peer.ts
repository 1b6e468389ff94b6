import { systemClock } from '@outdial/kernel';
import {
  createUserAgent,
  openSocketTransport,
  type IncomingSession,
  type LocalAudio,
  type SessionEnd,
  type SipLogEntry,
  type UserAgentOptions,
} from '@outdial/sip';

/** A call as the far end of a trunk saw it. Times are on the monotonic clock. */
export interface SeenCall {
  readonly session: IncomingSession;
  readonly number: string;
  readonly atMs: number;
  endedAtMs: number | null;
  end: SessionEnd | null;
}

export interface TrunkPeer {
  readonly uri: string;
  readonly calls: SeenCall[];
  /** INVITEs that arrived, including rejected ones; a retransmission does not count. */
  invites(): number;
  /** The largest number of concurrent calls. */
  mostAtOnce(): number;
  close(): Promise<void>;
}

/** The discard port: nothing listens to the product's RTP. */
export const AUDIO: LocalAudio = {
  address: '127.0.0.1',
  port: 9,
  codecs: ['PCMU'],
  dtmfPayloadType: 101,
  ptimeMs: 20,
};

/** The far end of a trunk on real sockets; `onCall` decides the outcome of each call. */
export async function openTrunkPeer(
  onCall: (session: IncomingSession) => void,
  options: Pick<UserAgentOptions, 'authentication'> = {},
): Promise<TrunkPeer> {
  const invites = new Set<string>();
  const log = ({ kind, text }: SipLogEntry) => {
    if (kind === 'received' && text.startsWith('INVITE ')) invites.add(branchOf(text));
  };
  const transport = await openSocketTransport({ address: '127.0.0.1', port: 0, log });
  const userAgent = createUserAgent({ transport, clock: systemClock, product: 'peer', ...options });
  const calls: SeenCall[] = [];
  userAgent.onInvite((session) => {
    const seen: SeenCall = {
      session,
      number: session.calledNumber ?? '',
      atMs: systemClock.monotonicMs(),
      endedAtMs: null,
      end: null,
    };
    calls.push(seen);
    session.listen((event) => {
      if (event.kind !== 'ended') return;
      seen.end = event.end;
      seen.endedAtMs = systemClock.monotonicMs();
    });
    onCall(session);
  });
  return {
    uri: `sip:127.0.0.1:${transport.port}`,
    calls,
    invites: () => invites.size,
    mostAtOnce: () => Math.max(0, ...calls.map(({ atMs }) => calls.filter((call) => wasUp(call, atMs)).length)),
    close: () => userAgent.close(),
  };
}

function wasUp({ atMs, endedAtMs }: SeenCall, momentMs: number): boolean {
  return atMs <= momentMs && (endedAtMs === null || endedAtMs > momentMs);
}

/** What a request and its retransmissions share, and no other request has. */
export function branchOf(request: string): string {
  return /^Via:[^\r]*;branch=(?<branch>[^;\r]+)/im.exec(request)?.groups?.['branch'] ?? '';
}
