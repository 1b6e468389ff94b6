import type { AgentSettings, AnsweredBy, CallFailure, TrunkName, UsageEntry } from '@outdial/contracts';
import { unreachable, type Clock, type Logger, type Timer } from '@outdial/kernel';
import type { Carrier, Leg, LegEnd, LegEvent } from '../ports/carrier.ts';
import type { Conversation, ConversationEvent, ConversationResult, Conversations } from '../ports/conversation.ts';
import type { ClaimedCall, DriveStore, FencingToken } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import { callFailureOf } from '../ports/voice-agent.ts';
import { conductedVariables } from './conducted-variables.ts';
import { noteOf, type WatchedEvent } from './conversation-notes.ts';
import { createCallRecord, type CallRecord } from './call-record.ts';
import { anchorTimes, monotonicNowMs, type CallTimes } from '../settle/call-times.ts';
import { createCreditControl, type CreditControl, type CreditControlInput } from './credit-control.ts';
import { DialPermit } from './dial-permit.ts';
import type { HangUpCause } from '../settle/end-reason.ts';
import { enlargeHold } from './enlarge-hold.ts';
import { LEASE_TIMES, type Instant, type LeaseTimes } from '../lease.ts';
import type { TrackedLease } from './lease-renewer.ts';
import { NOT_DIALED, type HangUp, type LegReport } from '../settle/leg-report.ts';
import type { TrunkDeps } from '../trunks/dial-attempts.ts';
import type { UsageReport } from '../usage-cost.ts';
import { createUsageMeter, type UsageMeter } from './usage-meter.ts';

export interface LegDriverDeps {
  readonly store: DriveStore;
  readonly gate: Pick<Gate, 'enlarge' | 'close'>;
  readonly carrier: Carrier;
  readonly conversations: Conversations;
  readonly clock: Clock;
  /** `LEASE_TIMES` unless given. */
  readonly leaseTimes?: LeaseTimes;
  /** For a carrier with trunks, which asks before each dial attempt; other carriers need none. */
  readonly trunks?: TrunkDeps;
  /** Receives the turns, usage and delays of calls as they become known. */
  readonly onModelEvent?: (call: ClaimedCall, event: WatchedEvent) => void;
}

export interface LegDriverInput {
  readonly call: ClaimedCall;
  /** From before the claim was sent. */
  readonly claimSentAt: Instant;
  readonly logger: Logger;
  readonly acquiredTrunk: TrunkName | null;
}

/** The carrier enforces the ring timeout itself, and may need its whole transaction time (32 s) to report the outcome. */
const RING_GRACE_MS = 40_000;

/** How long a silent leg may stay up beyond its maximum ringing and talk time and our hang-up. */
const GONE_GRACE_MS = 60_000;

/** One claimed call, from its dial to the end of its leg: handles its events and decides when to hang up. */
export class LegDriver {
  readonly fencingToken: FencingToken;
  readonly times: CallTimes;
  readonly #deps: LegDriverDeps;
  readonly #input: LegDriverInput;
  readonly #call: ClaimedCall;
  readonly #logger: Logger;
  readonly #record: CallRecord;
  /** Null for a scripted call. */
  readonly #meter: UsageMeter | null;
  readonly #fencing = new AbortController();
  /** Aborts once the call must not be dialed any more. */
  readonly #leaving = new AbortController();
  #leg: Leg | undefined;
  #conversation: Conversation | undefined;
  #finishing: Promise<ConversationResult> | undefined;
  #credit: CreditControl | undefined;
  /** The limit of the current phase: ringing, talking, or hanging up. */
  #limit: Timer | undefined;
  #dialledAtMs = 0;
  #answeredAtMs: number | null = null;
  #answeredBy: AnsweredBy | null = null;
  #hangUp: HangUp | null = null;
  #over = false;
  #onEnd: ((end: LegEnd) => void) | undefined;

  /** Create it as soon as the claim's answer arrives: the times of the call are anchored here. */
  constructor(deps: LegDriverDeps, input: LegDriverInput) {
    const { call, logger } = input;
    this.#deps = deps;
    this.#input = input;
    this.#call = call;
    this.#logger = logger;
    this.fencingToken = { callId: call.id, epoch: call.epoch };
    this.times = anchorTimes(deps.clock, call.startedAtMs);
    this.#meter = call.conducted && createUsageMeter(call.conducted, deps.clock);
    this.#record = createCallRecord({
      store: deps.store,
      clock: deps.clock,
      logger,
      fencingToken: this.fencingToken,
      times: this.times,
      onFenced: () => this.fence(),
      onEndRequested: () => this.hangUp('end_requested'),
    });
  }

  /** Aborts once another worker owns the call. */
  get fenced(): AbortSignal {
    return this.#fencing.signal;
  }

  /** Dials and talks. Resolves once the leg is gone, or can no longer be up. Call it once. */
  async run(lease: Pick<TrackedLease, 'renewedAt'>): Promise<LegReport> {
    const permit = this.#createDialPermit(lease);
    const end = await new Promise<LegEnd>((resolve) => {
      this.#onEnd = resolve;
      this.#dial(permit);
    });
    const endedAtMs = monotonicNowMs(this.#deps.clock);
    const [conversation] = await Promise.all([this.#finishConversation() ?? null, this.#record.finish()]);
    return {
      end,
      dialled: permit.wasUsed,
      endedAtMs,
      answeredAtMs: this.#answeredAtMs,
      answeredBy: conversation?.answeredBy ?? this.#answeredBy,
      hangUp: this.#hangUp,
      conversation,
      usage: this.usageReport(),
      holdMicros: this.#credit?.holdMicros() ?? this.#call.holdMicros,
    };
  }

  /** Models have used this since the last report. */
  usage(entries: readonly UsageEntry[]): void {
    this.#meter?.add(entries);
    this.#credit?.spent();
  }

  /** What models have used in all; null without any. The same object until there is more. */
  usageReport(): UsageReport | null {
    return this.#meter?.report() ?? null;
  }

  /** The first cause counts. Before the dial it prevents the dial; after the end of the leg it has no effect. */
  hangUp(cause: HangUpCause, failure: CallFailure | null = null): void {
    this.#hangUpAt(cause, monotonicNowMs(this.#deps.clock), failure);
  }

  /** Another worker owns the call: hangs up at once and writes nothing more. */
  fence(): void {
    if (this.fenced.aborted) return;
    this.#logger.warn({ event: 'call.fenced' }, 'call owned by another worker');
    this.#record.stop();
    this.#fencing.abort();
    if (!this.#over) this.#leaveLeg();
  }

  #hangUpAt(cause: HangUpCause, atMs: number, failure: CallFailure | null = null): void {
    if (this.#hangUp || this.#over) return;
    this.#hangUp = { cause, atMs, failure };
    this.#leaveLeg();
  }

  #leaveLeg(): void {
    this.#leaving.abort();
    this.#credit?.stop();
    // Nothing is said, heard or recorded that is not billed, however long the far end takes to confirm (RFC 3261
    // section 15.1.1).
    void this.#finishConversation();
    if (!this.#leg) return;
    const { ringTimeoutSeconds, maxDurationSeconds } = this.#call.limits;
    const longestMs = this.#dialledAtMs + (ringTimeoutSeconds + maxDurationSeconds) * 1_000;
    this.#limitTo(Math.max(longestMs, monotonicNowMs(this.#deps.clock)) + GONE_GRACE_MS, () => {
      this.#logger.error({ event: 'call.leg_end_not_reported' }, 'the carrier never reported that the leg is gone');
      this.#end({ ...NOT_DIALED, outcome: this.#answeredAtMs === null ? 'cancelled' : 'completed' });
    });
    this.#leg.hangUp();
  }

  #dial(permit: DialPermit): void {
    const { carrier, clock } = this.#deps;
    const { settings } = this.#call;
    if (!permit.isValid()) return this.#end(NOT_DIALED);
    if (settings.kind === 'unusable') {
      // An agent without anything to say must not call anyone.
      this.#logger.error(
        { event: 'call.agent_settings_unusable', problem: settings.problem },
        'no agent for the call: its stored settings are not valid',
      );
      this.hangUp('agent_error', { code: 'settings_unusable', field: null });
      return this.#end(NOT_DIALED);
    }
    this.#dialledAtMs = monotonicNowMs(clock);
    try {
      this.#leg = carrier.dial(permit.request());
    } catch (error) {
      this.#logger.error({ event: 'call.dial_failed', err: error }, 'the carrier failed to dial');
      return this.#end({ ...NOT_DIALED, outcome: 'unavailable' });
    }
    this.#limitRinging();
    this.#converse(this.#leg, settings.settings);
    this.#leg.listen((event) => this.#onLegEvent(event));
  }

  #limitRinging(): void {
    const ringMs = this.#call.limits.ringTimeoutSeconds * 1_000;
    this.#limitTo(this.#dialledAtMs + ringMs + RING_GRACE_MS, () => this.hangUp('ring_timeout'));
  }

  #createDialPermit(lease: Pick<TrackedLease, 'renewedAt'>): DialPermit {
    const { trunks, store, gate, clock, carrier, leaseTimes = LEASE_TIMES } = this.#deps;
    const { call, claimSentAt, acquiredTrunk, logger } = this.#input;
    const isWanted = () => !this.#hangUp && !this.fenced.aborted;
    const claim = { call, claimSentAt, lease, acquiredTrunk };
    return new DialPermit({
      ...claim,
      carrier: carrier.name,
      trunks,
      store,
      gate,
      clock,
      leaseTimes,
      logger,
      record: this.#record,
      isWanted,
      unwanted: this.#leaving.signal,
      onPaused: () => this.#limit?.cancel(),
      onReclaimed: () => this.#onReclaimed(),
      onRefused: (reason) => this.hangUp(reason === 'cancelled' ? 'end_requested' : 'queue_expired'),
      onFenced: () => this.fence(),
    });
  }

  /** The ring timeout counts from the dial, which comes only now. */
  #onReclaimed(): void {
    // The call was hung up in between: the limit of the hang-up is in force and must stay.
    if (this.#leaving.signal.aborted) return;
    this.#dialledAtMs = monotonicNowMs(this.#deps.clock);
    this.#limitRinging();
  }

  #converse(leg: Leg, settings: AgentSettings): void {
    const { id: callId, variables, conducted } = this.#call;
    try {
      this.#conversation = this.#deps.conversations.open({
        callId,
        leg,
        settings,
        variables:
          settings.driver === 'scripted' ? variables : conductedVariables(this.#call, settings, this.#deps.clock),
        conducted: conducted && { ...this.#call, models: conducted.models },
      });
      this.#conversation.listen((event) => this.#onConversationEvent(event));
    } catch (error) {
      this.#logger.error({ event: 'call.agent_not_prepared', err: error }, 'no agent for the call');
      this.hangUp('agent_error', callFailureOf(error));
    }
  }

  #onLegEvent(event: LegEvent): void {
    switch (event.kind) {
      case 'dialog':
        // Also while hanging up: another worker may have to finish that.
        return this.#record.dialog(this.#deps.carrier.name, event.dialog);
      case 'ringing':
        return this.#record.ringing(event.sipCode);
      case 'answered':
        return this.#onAnswered();
      case 'on_hold':
        return this.#conversation?.setOnHold(event.isOnHold);
      case 'ended':
        return this.#end(event.end);
      default:
        return unreachable(event);
    }
  }

  #onAnswered(): void {
    // The carrier undoes an answer that crosses our hang-up: there was no talk, and there is no charge.
    if (this.#answeredAtMs !== null || this.#hangUp || this.fenced.aborted) return;
    const { clock } = this.#deps;
    const { rate, holdMicros, limits } = this.#call;
    const answeredAtMs = monotonicNowMs(clock);
    this.#answeredAtMs = answeredAtMs;
    this.#conversation?.answered();
    this.#record.inProgress(answeredAtMs);
    const limitAtMs = answeredAtMs + limits.maxDurationSeconds * 1_000;
    this.#limitTo(limitAtMs, () => this.#hangUpAt('max_duration', limitAtMs));
    this.#credit = createCreditControl({
      price: { rate, maxDurationSeconds: limits.maxDurationSeconds },
      holdMicros,
      answeredAtMs,
      spending: this.#spending(),
      clock,
      logger: this.#logger,
      enlarge: (wantedMicros) => enlargeHold(this.#deps, this.#call, wantedMicros),
      onExhausted: (atMs) => this.#hangUpAt('funds_exhausted', atMs),
      onFenced: () => this.fence(),
    });
  }

  #spending(): CreditControlInput['spending'] {
    const meter = this.#meter;
    return meter ? () => ({ spentMicros: meter.spentMicros(), microsPerMinute: meter.microsPerMinute() }) : undefined;
  }

  #onConversationEvent(event: ConversationEvent): void {
    switch (event.kind) {
      case 'answered_by':
        this.#answeredBy = event.answeredBy;
        return this.#record.answeredBy(event.answeredBy, this.#hangUp?.atMs ?? monotonicNowMs(this.#deps.clock));
      case 'usage':
        return this.usage(event.entries);
      case 'hang_up':
        return this.hangUp(event.reason, event.failure);
      case 'tool_called':
      case 'provider_failed':
      case 'provider_recovered':
        return this.#record.note(noteOf(event), this.#hangUp?.atMs ?? monotonicNowMs(this.#deps.clock));
      case 'turn':
      case 'turn_metrics':
        return this.#deps.onModelEvent?.(this.#call, event);
      default:
        return unreachable(event);
    }
  }

  #finishConversation(): Promise<ConversationResult> | undefined {
    this.#finishing ??= this.#conversation?.finish();
    return this.#finishing;
  }

  #limitTo(atMs: number, reached: () => void): void {
    this.#limit?.cancel();
    this.#limit = this.#deps.clock.after(atMs - this.#deps.clock.monotonicMs(), reached);
  }

  #end(end: LegEnd): void {
    this.#over = true;
    this.#limit?.cancel();
    this.#credit?.stop();
    this.#onEnd?.(end);
  }
}
