import {
  chooseTrunks,
  mayCarry,
  type AttemptOutcome,
  type DialRequest,
  type Leg,
  type LegDialog,
  type LegEnd,
  type LegEvent,
  type Trunk,
  type TrunkBook,
  type TrunkMediaSource,
} from '@outdial/calls';
import { unreachable, type Clock, type Logger } from '@outdial/kernel';
import { EventChannel } from '../event-channel.ts';
import type { MediaSession } from '../media-thread/client-session.ts';
import type { MediaClient } from '../media-thread/media-client.ts';
import type { MediaSessionEvent } from '../media-thread/protocol.ts';
import type { NegotiatedAudio } from '../sip/sdp/audio-negotiation.ts';
import { CallRequestError } from '../sip/session/call-request.ts';
import { sessionEnd, type Session, type SessionEnd, type SessionEvent } from '../sip/session/session.ts';
import type { UserAgent } from '../sip/user-agent.ts';
import { CALLER_REFUSED, CANCELLED_UNSENT, legEndOf, mayTryNextTrunk, NO_TRUNK } from './leg-end.ts';
import { remoteMediaOf } from './remote-sound.ts';
import { callRequestOf } from './trunk-call.ts';
import type { TrunkMonitor } from './trunk-monitor.ts';

export interface SipLegDeps {
  readonly userAgent: Pick<UserAgent, 'call'>;
  readonly media: Pick<MediaClient, 'openSession'>;
  /** IPv4, as the far ends reach the RTP ports. */
  readonly mediaAddress: string;
  readonly trunks: TrunkBook;
  readonly health: Pick<TrunkMonitor, 'isUp' | 'report'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Cut = Extract<MediaSessionEvent['kind'], 'no_audio' | 'expired'>;

/** One call over SIP: its sound is opened, then trunks are tried in their order until one has taken it. */
export class SipLeg implements Leg {
  /** Its sound is in the media thread, with the conversation: nothing of it passes here. */
  readonly media = null;
  readonly #deps: SipLegDeps;
  readonly #request: DialRequest;
  readonly #logger: Logger;
  readonly #sound: MediaSession;
  readonly #events = new EventChannel<LegEvent>();
  #session: Session | undefined;
  /** By when somebody must have answered, on whichever trunk; counted from when the first attempt began. */
  #ringUntilMs: number | undefined;
  #rang = false;
  #held = false;
  #hungUp = false;
  /** What in the sound made us hang up. */
  #cut: Cut | null = null;
  #over = false;

  constructor(deps: SipLegDeps, request: DialRequest) {
    this.#deps = deps;
    this.#request = request;
    this.#logger = deps.logger.child({ callId: request.callId });
    const { callId, rightEndsAtMs } = request;
    this.#sound = deps.media.openSession({ callId, rightEndsAtMs });
    this.#sound.listen((event) => this.#onSound(event));
    void this.#dial();
  }

  listen(listener: (event: LegEvent) => void): void {
    this.#events.listen(listener);
  }

  hangUp(): void {
    if (this.#hungUp || this.#over) return;
    this.#hungUp = true;
    this.#sound.stop();
    if (this.#session) this.#session.hangUp();
    // Nothing is out. Whatever dialling waits for now finds the leg over.
    else queueMicrotask(() => this.#end(CANCELLED_UNSENT));
  }

  async #dial(): Promise<void> {
    try {
      this.#end(await this.#tryTrunks());
    } catch (error) {
      this.#logger.error({ err: error }, 'the call could not be dialled');
      this.#end(NO_TRUNK);
    }
  }

  async #tryTrunks(): Promise<LegEnd> {
    const { trunks, health } = this.#deps;
    const { callId: id, callerNumber, admittedTrunk } = this.#request;
    const [sound, all] = await Promise.all([this.#sound.opened, trunks.all()]);
    if (sound.kind !== 'opened') {
      this.#logger.error({ outcome: sound.kind }, 'the call has no RTP ports');
      return NO_TRUNK;
    }
    let last = this.#endWithoutTrunk(all);
    for (const trunk of chooseTrunks(all, { id, callerNumber, admittedTrunk }, health)) {
      if (this.#hungUp) return CANCELLED_UNSENT;
      const end = await this.#attempt(trunk, sound.rtpPort);
      if (end === 'no_channel') continue;
      health.report(trunk, end);
      last = legEndOf(end);
      if (this.#hungUp || !mayTryNextTrunk(end)) return last;
      this.#logger.warn({ trunk: trunk.name, detail: end.detail }, 'the trunk did not take the call');
    }
    return last;
  }

  #endWithoutTrunk(all: readonly Trunk[]): LegEnd {
    const { callerNumber } = this.#request;
    const enabled = all.filter((trunk) => trunk.enabled);
    if (enabled.length === 0 || enabled.some((trunk) => mayCarry(trunk, callerNumber))) return NO_TRUNK;
    this.#logger.warn('no enabled trunk carries calls from this number: see the caller prefixes of the trunks');
    return CALLER_REFUSED;
  }

  /** Resolves once nothing of it is left. `no_channel`: the trunk is full, and was sent nothing. */
  async #attempt(trunk: Trunk, port: number): Promise<SessionEnd | 'no_channel'> {
    const { userAgent, mediaAddress: address, clock } = this.#deps;
    const request = this.#request;
    const ringTimeoutMs = (this.#ringUntilMs ?? Infinity) - clock.monotonicMs();
    if (ringTimeoutMs <= 0) return sessionEnd('no_answer', 'local', 'the time to ring was over');
    const outcomes = new Set<AttemptOutcome>();
    const beginAttempt = async (dialog: LegDialog) => {
      const outcome = await request.beginAttempt(trunk, dialog);
      if (outcome === 'begun') this.#ringUntilMs ??= clock.monotonicMs() + request.ringTimeoutMs;
      outcomes.add(outcome);
      return outcome;
    };
    const limits = { ringTimeoutMs: Math.min(ringTimeoutMs, request.ringTimeoutMs), media: { address, port } };
    try {
      const end = await new Promise<SessionEnd>((resolve) => {
        this.#session = userAgent.call(callRequestOf({ trunk, request, beginAttempt, ...limits }));
        this.#session.listen((event) => (event.kind === 'ended' ? resolve(event.end) : this.#onSession(event, trunk)));
      });
      return outcomes.size === 1 && outcomes.has('no_channel') ? 'no_channel' : end;
    } catch (error) {
      if (!(error instanceof CallRequestError)) throw error;
      this.#logger.error({ trunk: trunk.name, err: error }, "the trunk's settings make no call");
      return sessionEnd('unsent', 'local', error.message);
    } finally {
      this.#session = undefined;
    }
  }

  #onSession(event: Exclude<SessionEvent, { kind: 'ended' }>, { mediaSource }: Trunk): void {
    switch (event.kind) {
      case 'dialog':
        return this.#events.emit({ kind: 'dialog', dialog: { ...event.description } });
      case 'provisional':
        return this.#onProvisional(event.sipCode);
      case 'answered':
        this.#sound.setRemote(remoteMediaOf(event.audio, mediaSource));
        return this.#events.emit({ kind: 'answered' });
      case 'media':
        return this.#onMedia(event.audio, mediaSource);
      case 'digits':
        return this.#sound.press(event.digits);
      default:
        return unreachable(event);
    }
  }

  #onProvisional(sipCode: number): void {
    if (this.#rang) return;
    this.#rang = true;
    this.#events.emit({ kind: 'ringing', sipCode });
  }

  #onMedia(audio: NegotiatedAudio, mediaSource: TrunkMediaSource): void {
    this.#sound.setRemote(remoteMediaOf(audio, mediaSource));
    if (audio.held === this.#held) return;
    this.#held = audio.held;
    this.#events.emit({ kind: 'held', held: audio.held });
  }

  #onSound(event: MediaSessionEvent): void {
    switch (event.kind) {
      case 'digit':
        // The agent heard it where it lives.
        return;
      case 'no_audio':
      case 'expired':
        this.#logger.warn({ reason: event.kind }, 'hanging up: the sound has stopped');
        this.#cut ??= event.kind;
        return this.hangUp();
      default:
        return unreachable(event);
    }
  }

  #end(end: LegEnd): void {
    if (this.#over) return;
    this.#over = true;
    void this.#sound.close();
    this.#events.emit({ kind: 'ended', end: this.#endByCut(end) });
  }

  #endByCut(end: LegEnd): LegEnd {
    if (end.outcome !== 'completed' || end.by !== 'us' || this.#cut === null) return end;
    return { ...end, outcome: this.#cut === 'no_audio' ? 'no_audio' : 'silenced' };
  }
}
