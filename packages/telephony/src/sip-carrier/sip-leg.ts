import {
  ANSWERED_SIP_CODE,
  chooseTrunksNow,
  type DialAttemptOutcome,
  type DialRequest,
  type Leg,
  type LegDialog,
  type LegEnd,
  type LegEvent,
  type TransferOutcome,
  type Trunk,
  type TrunkDirectory,
  type TrunkMediaSource,
} from '@outdial/calls';
import type { TransferTarget } from '@outdial/contracts';
import { pause, unreachable, type Clock, type Logger } from '@outdial/kernel';
import {
  CallRequestError,
  sessionEnd,
  type NegotiatedAudio,
  type Session,
  type SessionEnd,
  type SessionEvent,
  type UserAgent,
} from '@outdial/sip';
import { EventChannel } from '../event-channel.ts';
import type { MediaSession } from '../media-thread/media-session-client.ts';
import type { MediaClient } from '../media-thread/media-client.ts';
import type { MediaSessionEvent } from '../media-thread/protocol.ts';
import { CALLER_NOT_ALLOWED, CANCELLED_UNSENT, legEndOf, mayTryNextTrunk, NO_TRUNK, NOT_PERMITTED } from './leg-end.ts';
import { remoteMediaOf } from './remote-sound.ts';
import { callRequestOf } from './trunk-call.ts';
import { referRequestOf } from './trunk-referral.ts';
import type { TrunkMonitor } from './trunk-monitor.ts';

export interface SipLegDeps {
  readonly userAgent: Pick<UserAgent, 'call'>;
  readonly media: Pick<MediaClient, 'openSession'>;
  /** IPv4 address at which the far ends reach the RTP ports. */
  readonly mediaAddress: string;
  readonly trunks: TrunkDirectory;
  readonly health: Pick<TrunkMonitor, 'isUp' | 'tryProbe' | 'report' | 'carried'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The interval while no trunk can take the call, and nothing was sent to any. */
const TRUNK_RETRY_MS = 1_000;

type Cut = Extract<MediaSessionEvent['kind'], 'no_audio' | 'expired'>;

/** One call over SIP: opens its media session, then tries trunks in order until one has taken it. */
export class SipLeg implements Leg {
  /** The media is in the media thread, with the conversation: no audio passes here. */
  readonly media = null;
  readonly #deps: SipLegDeps;
  readonly #request: DialRequest;
  readonly #logger: Logger;
  readonly #sound: MediaSession;
  readonly #events = new EventChannel<LegEvent>();
  #session: Session | undefined;
  /** The trunk that answered. */
  #trunk: Trunk | undefined;
  /** When the call must be answered, on any trunk; counted from the start of the first attempt. */
  #ringUntilMs: number | undefined;
  #rang = false;
  #isOnHold = false;
  #hungUp = false;
  readonly #leaving = new AbortController();
  /** The media event that made us hang up. */
  #cut: Cut | null = null;
  /** The wait for a trunk has been logged. */
  #isWaiting = false;
  #over = false;
  /** By the URI of the REFER. */
  readonly #referred = new Map<string, TransferTarget>();

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
    this.#leaving.abort();
    this.#sound.stop();
    if (this.#session) this.#session.hangUp();
    // No INVITE is pending. Whatever dialing waits for finds the leg ended.
    else queueMicrotask(() => this.#end(CANCELLED_UNSENT));
  }

  transfer({ target, timeoutMs }: Parameters<Leg['transfer']>[0]): void {
    if (this.#hungUp || this.#over) return;
    const refer = this.#trunk && referRequestOf(this.#trunk, this.#request, target);
    if (refer === undefined) return this.#notTransferred(target, { kind: 'not_permitted' });
    const isSent = this.#session?.refer({ ...refer, timeoutMs }) === true;
    if (isSent) this.#referred.set(refer.target, target);
    else this.#notTransferred(target, { kind: 'refused', sipCode: null });
  }

  /** Never before `transfer` has returned. */
  #notTransferred(target: TransferTarget, outcome: TransferOutcome): void {
    queueMicrotask(() => {
      if (!this.#over) this.#events.emit({ kind: 'transfer', outcome, target });
    });
  }

  async #dial(): Promise<void> {
    try {
      this.#end(await this.#tryTrunks());
    } catch (error) {
      this.#logger.error({ event: 'call.dial_failed', err: error }, 'the call could not be dialed');
      this.#end(NO_TRUNK);
    }
  }

  async #tryTrunks(): Promise<LegEnd> {
    const sound = await this.#sound.opened;
    if (sound.kind !== 'opened') {
      this.#logger.error({ event: 'call.no_rtp_ports', outcome: sound.kind }, 'the call has no RTP ports');
      return NO_TRUNK;
    }
    for (;;) {
      const end = await this.#tryOnce(sound.rtpPort);
      if (end !== 'nothing_sent') return end;
      if (!(await this.#waitForTrunk())) return this.#hungUp ? CANCELLED_UNSENT : NOT_PERMITTED;
    }
  }

  /** `nothing_sent`: every trunk is down, full, or could not be reached. */
  async #tryOnce(port: number): Promise<LegEnd | 'nothing_sent'> {
    const { trunks, health } = this.#deps;
    const { callId: id, callerNumber, acquiredTrunk } = this.#request;
    const choice = await chooseTrunksNow(await trunks.all(), { id, callerNumber, acquiredTrunk }, health);
    if (choice.kind === 'refused') {
      this.#logger.warn(
        { event: 'call.caller_number_not_carried' },
        'no enabled trunk carries calls from this number: see the caller prefixes of the trunks',
      );
      return CALLER_NOT_ALLOWED;
    }
    let last: LegEnd | 'nothing_sent' = 'nothing_sent';
    for (const trunk of choice.kind === 'trunks' ? choice.trunks : []) {
      if (this.#hungUp) return CANCELLED_UNSENT;
      const end = await this.#attempt(trunk, port);
      if (end === 'no_channel') continue;
      if (end.outcome !== 'unsent' || last !== 'nothing_sent') last = legEndOf(end);
      if (this.#hungUp || !mayTryNextTrunk(end)) return legEndOf(end);
      this.#logger.warn(
        { event: 'call.trunk_attempt_failed', trunk: trunk.name, detail: end.detail },
        'the trunk did not take the call',
      );
    }
    return last;
  }

  /** The call was claimed for a trunk that is gone. Each check asks whether the call may still be dialed. */
  async #waitForTrunk(): Promise<boolean> {
    if (this.#hungUp) return false;
    if (!this.#isWaiting) this.#logger.info({ event: 'call.waiting_for_trunk' }, 'no trunk takes the call: it waits');
    this.#isWaiting = true;
    await pause(this.#deps.clock, TRUNK_RETRY_MS, this.#leaving.signal);
    return !this.#hungUp && (await this.#request.awaitDialPermit());
  }

  /** Resolves once the attempt has ended. `no_channel`: the trunk is full, and nothing was sent to it. */
  async #attempt(trunk: Trunk, port: number): Promise<SessionEnd | 'no_channel'> {
    const { userAgent, mediaAddress: address, clock, health } = this.#deps;
    const request = this.#request;
    const ringTimeoutMs = (this.#ringUntilMs ?? Infinity) - clock.monotonicMs();
    if (ringTimeoutMs <= 0) return sessionEnd('no_answer', 'local', 'the ring timeout has passed');
    const outcomes = new Set<DialAttemptOutcome>();
    const { callId, accountId, calleeNumber } = request;
    const seen = { callId, accountId, calleeNumber, sinceMs: clock.monotonicMs(), rang: false };
    const onProvisional = () => {
      // Only the first one: each retransmission says the same.
      if (!seen.rang) health.carried(trunk, accountId);
      seen.rang = true;
    };
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
        this.#session.listen((event) => {
          if (event.kind === 'ended') return resolve(event.end);
          if (event.kind === 'provisional') request.onResponse?.(event.sipCode);
          if (event.kind === 'answered') request.onResponse?.(ANSWERED_SIP_CODE);
          if (event.kind === 'provisional' || event.kind === 'answered') onProvisional();
          if (event.kind === 'answered') this.#trunk = trunk;
          this.#onSession(event, trunk);
        });
      });
      if (outcomes.size === 1 && outcomes.has('no_channel')) return 'no_channel';
      if (end.sipCode !== null) request.onResponse?.(end.sipCode);
      health.report(trunk, end, seen);
      return end;
    } catch (error) {
      if (!(error instanceof CallRequestError)) throw error;
      this.#logger.error(
        { event: 'trunk.invalid_settings', trunk: trunk.name, err: error },
        "the trunk's settings do not make a valid call",
      );
      const end = sessionEnd('unsent', 'local', error.message);
      health.report(trunk, end, seen);
      return end;
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
      case 'referral': {
        const { outcome, target } = event;
        const asked = this.#referred.get(target) ?? ({ kind: 'uri', uri: target } as const);
        return this.#events.emit({ kind: 'transfer', outcome, target: asked });
      }
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
    if (audio.held === this.#isOnHold) return;
    this.#isOnHold = audio.held;
    this.#events.emit({ kind: 'on_hold', isOnHold: audio.held });
  }

  #onSound(event: MediaSessionEvent): void {
    switch (event.kind) {
      case 'digit':
        // The agent receives digits in the media thread.
        return;
      case 'no_audio':
      case 'expired':
        this.#logger.warn({ event: 'call.media_stopped', reason: event.kind }, 'hanging up: the media has stopped');
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
