import { ManualClock } from '@outdial/testkit/async';
import { createUserAgent, type UserAgentOptions } from '../src/user-agent.ts';
import type { LocalAudio } from '../src/sdp/audio-negotiation.ts';
import type { CallRequest } from '../src/session/call-request.ts';
import type { Session, SessionEnd, SessionEvent } from '../src/session/session.ts';
import { MemoryNetwork } from './memory-network.ts';
import { ScriptedPeer } from './scripted-peer.ts';

export const OURS = '10.0.0.1';
export const THEIRS = '10.0.0.2';

export const AUDIO: LocalAudio = {
  address: OURS,
  port: 40_000,
  codecs: ['PCMU', 'PCMA'],
  dtmfPayloadType: 101,
  ptimeMs: 20,
};

/** A plain answer or offer of PCMU from the far end. */
export function sdpOf({ address = THEIRS, port = 30_000, direction = 'sendrecv', format = '0' } = {}): string {
  return [
    'v=0',
    `o=- 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP ${format} 101`,
    'a=rtpmap:101 telephone-event/8000',
    `a=${direction}`,
    '',
  ].join('\r\n');
}

export const SDP_PARTS = { headers: [['content-type', 'application/sdp']], body: Buffer.from(sdpOf()) } as const;

export function callRequest(changes: Partial<CallRequest> = {}): CallRequest {
  return {
    trunk: 'test',
    target: `sip:+12025550100@${THEIRS}`,
    from: { uri: 'sip:+12025550199@example.test' },
    audio: AUDIO,
    ringTimeoutMs: 60_000,
    mayDial: () => true,
    ...changes,
  };
}

export interface SessionLog {
  readonly events: SessionEvent[];
  kinds(): string[];
  end(): SessionEnd | undefined;
  /** Resolves with the first event, past or future, after which `done` holds. */
  until(done: () => boolean): Promise<void>;
}

/** Records what a session reports, in order. */
export function watch(session: Session): SessionLog {
  const events: SessionEvent[] = [];
  const waiting = new Set<() => void>();
  session.listen((event) => {
    events.push(event);
    for (const look of waiting) look();
  });
  return {
    events,
    kinds: () => events.map(({ kind }) => kind),
    end: () => events.flatMap((event) => (event.kind === 'ended' ? [event.end] : []))[0],
    until: (done) =>
      new Promise((resolve) => {
        const look = () => {
          if (!done()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** The first event of a kind. Fails when the session ends without it. */
export async function eventOf(log: SessionLog, kind: SessionEvent['kind']): Promise<SessionEvent> {
  const find = () => log.events.find((event) => event.kind === kind);
  await log.until(() => find() !== undefined || log.end() !== undefined);
  const found = find();
  if (found === undefined) throw new Error(`the session ended without "${kind}": ${JSON.stringify(log.end())}`);
  return found;
}

/** A user agent and a scripted far end on a network in memory, with a manual clock. */
export function createBench(options: Partial<UserAgentOptions> = {}) {
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const peer = new ScriptedPeer(network.attach(THEIRS), THEIRS);
  const agent = createUserAgent({
    transport: network.attach(OURS),
    clock,
    product: 'Test/1.0',
    random: () => 0.5,
    resolver: { srv: () => Promise.resolve([]), addresses: () => Promise.resolve([]) },
    ...options,
  });
  /** Lets everything that was sent arrive, and its effects happen. */
  const settle = () => clock.turnGently(30, 3);
  return { clock, network, peer, agent, settle };
}
