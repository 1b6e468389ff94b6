import type { MessagePort } from 'node:worker_threads';
import type { RecordingStore, VoiceAgentFactory } from '@outdial/calls';
import { invariant, unreachable, type Clock, type Timer } from '@outdial/kernel';
import { createConversations, type MediaConversations } from '../media/conversations.ts';
import { createPhasedClocks, type MediaClock } from '../media/media-clock.ts';
import { takenBatches } from '../media/sound-tap.ts';
import { PortRange, type PortRangeOptions } from '../rtp/port-range.ts';
import { randomCanonicalName, randomIdentity } from '../rtp/random-identity.ts';
import { RtpSession } from '../rtp/rtp-session.ts';
import type { RtpSockets } from '../rtp/rtp-sockets.ts';
import type { SourceLearning } from '../rtp/remote-media.ts';
import { HostedCall } from './hosted-call.ts';
import { LatenessCounter } from './lateness.ts';
import { SoundTotals } from './sound-totals.ts';
import { EMPTY_RESULT, type FromHost, type OpenOutcome, type SessionId, type ToHost } from './protocol.ts';

export interface MediaHostOptions {
  /** To the media client; the host ends when it closes. */
  readonly port: MessagePort;
  readonly clock: Clock;
  readonly agents: VoiceAgentFactory;
  readonly recordings: RecordingStore;
  readonly rtpPorts: PortRangeOptions;
  readonly learning: SourceLearning;
  readonly noAudioAfterMs: number;
  /** How often metrics are sent. */
  readonly metricsEveryMs: number;
}

export interface MediaHost {
  /** Ends every session, frees the ports and releases the port to the client. Idempotent. */
  close(): Promise<void>;
}

/** Runs the media of all calls of a process, in a dedicated thread that no other work blocks. */
export function createMediaHost(options: MediaHostOptions): MediaHost {
  return new ThreadMediaHost(options);
}

/**
 * The ticks of calls are spread over this many phases of every 20 ms, so that a packet waits for only a share of the
 * calls.
 */
const PHASES = 5;

interface Phase {
  readonly mediaClock: MediaClock;
  readonly conversations: MediaConversations;
}

type OpenMessage = Extract<ToHost, { kind: 'open' }>;
type SessionMessage = Exclude<ToHost, OpenMessage>;

class ThreadMediaHost implements MediaHost {
  readonly #options: MediaHostOptions;
  readonly #ports: PortRange;
  readonly #phases: readonly Phase[];
  readonly #lateness = new LatenessCounter();
  readonly #totals = new SoundTotals();
  /** Null once opening has failed. Requests for a call wait, in order, until its ports are bound. */
  readonly #calls = new Map<SessionId, Promise<HostedCall | null>>();
  #metricsTimer: Timer;
  #closed: Promise<void> | undefined;

  constructor(options: MediaHostOptions) {
    const { port, clock, agents, recordings, rtpPorts } = options;
    const onError = (error: unknown): void => this.#postError(error);
    this.#options = options;
    this.#ports = new PortRange(rtpPorts);
    this.#phases = createPhasedClocks(PHASES, { clock, onError }).map((mediaClock) => ({
      mediaClock,
      conversations: createConversations({ clock: mediaClock, agents, recordings, onError }),
    }));
    this.#metricsTimer = this.#scheduleMetrics();
    port.on('message', (message: ToHost) => this.#onMessage(message));
    port.on('close', () => void this.close());
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#metricsTimer.cancel();
    const calls = await Promise.all(this.#calls.values());
    await Promise.all(calls.flatMap((call) => (call ? [call.finish(), call.close()] : [])));
    this.#options.port.close();
  }

  #onMessage(message: ToHost): void {
    if (this.#closed) return;
    if (message.kind === 'open') {
      this.#calls.set(message.sessionId, this.#open(message));
      return;
    }
    const call = this.#calls.get(message.sessionId) ?? Promise.resolve(null);
    void call.then((call) => this.#act(call, message)).catch((error: unknown) => this.#postError(error));
  }

  async #open(message: OpenMessage): Promise<HostedCall | null> {
    const { sessionId } = message;
    const postOutcome = (outcome: OpenOutcome): void => this.#post({ kind: 'open_outcome', sessionId, outcome });
    try {
      const sockets = await this.#ports.open();
      if (!sockets) {
        postOutcome({ kind: 'ports_exhausted' });
        return null;
      }
      const call = this.#host(message, sockets);
      postOutcome({ kind: 'opened', rtpPort: sockets.rtpPort });
      return call;
    } catch (error) {
      postOutcome({ kind: 'failed', message: messageOf(error) });
      return null;
    }
  }

  #host({ sessionId, callId, stopTime }: OpenMessage, sockets: RtpSockets): HostedCall {
    const { clock, learning, noAudioAfterMs } = this.#options;
    const phase = this.#phases[sessionId % PHASES];
    invariant(phase, 'sessions are numbered');
    const session = new RtpSession({
      sockets,
      clock,
      mediaClock: phase.mediaClock,
      identity: randomIdentity(),
      canonicalName: randomCanonicalName(),
      random: Math.random,
      learning,
      noAudioAfterMs,
      onEvent: (event) => this.#post({ kind: 'session_event', sessionId, event }),
      onSent: (latenessMs) => this.#lateness.add(latenessMs),
    });
    this.#totals.add(session);
    return new HostedCall({
      callId,
      session,
      ...phase,
      clock,
      stopTime,
      onSessionEvent: (event) => this.#post({ kind: 'session_event', sessionId, event }),
      onConversationEvent: (event) => this.#post({ kind: 'conversation_event', sessionId, event }),
      onClosed: () => this.#totals.retire(session),
    });
  }

  async #act(call: HostedCall | null, message: SessionMessage): Promise<void> {
    const { sessionId } = message;
    switch (message.kind) {
      case 'prepare':
        return call?.prepare(message.settings, message.variables);
      case 'set_remote':
        return call?.setRemote(message.remote);
      case 'answered':
        return call?.answered();
      case 'on_hold':
        return call?.setOnHold(message.isOnHold);
      case 'transfer_failed':
        return call?.transferFailed(message.failure);
      case 'tap_sound':
        return call ? this.#tapSound(call, message) : undefined;
      case 'instruct': {
        const isLate = this.#options.clock.nowMs() >= message.untilWallMs;
        const isTaken = !isLate && (call?.instruct(message.text) ?? false);
        return this.#post({ kind: 'instructed', sessionId, nth: message.nth, isTaken });
      }
      case 'introduce':
        return this.#introduce(call, message.secondId);
      case 'press':
        return call?.press(message.digits);
      case 'may_talk_until':
        return call?.mayTalkUntil(message.stopTime);
      case 'stop':
        return call?.stop();
      case 'finish':
        this.#post({ kind: 'finished', sessionId, result: (await call?.finish()) ?? EMPTY_RESULT });
        break;
      case 'close':
        this.#post({ kind: 'closed', sessionId, report: (await call?.close()) ?? null });
        break;
      default:
        return unreachable(message);
    }
    // A leg is closed before or after its conversation is finished: keep the call until both have happened.
    if (!call || call.isOver) this.#calls.delete(sessionId);
  }

  #tapSound(call: HostedCall, { sessionId, forMs, taken }: Extract<ToHost, { kind: 'tap_sound' }>): void {
    call.tapSound({
      forMs,
      taken: takenBatches(taken),
      onBatch: (sound) => {
        const message: FromHost = { kind: 'sound', sessionId, sound };
        this.#options.port.postMessage(message, [sound.samples.buffer]);
      },
    });
  }

  /** The sound of both legs meets in this thread. */
  async #introduce(call: HostedCall | null, secondId: SessionId): Promise<void> {
    const second = await this.#calls.get(secondId);
    if (!call || !second) return;
    second.answered();
    call.introduce(second);
  }

  #scheduleMetrics(): Timer {
    return this.#options.clock.after(this.#options.metricsEveryMs, () => {
      const metrics = { sessions: this.#calls.size, lateness: this.#lateness.take(), sound: this.#totals.counts };
      this.#post({ kind: 'metrics', metrics });
      this.#metricsTimer = this.#scheduleMetrics();
    });
  }

  #postError(error: unknown): void {
    const stack = error instanceof Error ? (error.stack ?? null) : null;
    this.#post({ kind: 'error', message: messageOf(error), stack });
  }

  #post(message: FromHost): void {
    this.#options.port.postMessage(message, []);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
