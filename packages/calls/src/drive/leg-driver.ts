import type { AgentSettings, AnsweredBy, CallFailure, UsageEntry } from '@outdial/contracts';
import { unreachable, type Logger } from '@outdial/kernel';
import type { Leg, LegEnd, LegEvent } from '../ports/carrier.ts';
import type { ConversationEvent } from '../ports/conversation.ts';
import type { ClaimedCall, FencingToken, OptOut, Refused } from '../ports/drive-store.ts';
import { callFailureOf } from '../ports/voice-agent.ts';
import { noteOf } from './conversation-notes.ts';
import { createCallRecord, type CallRecord } from './call-record.ts';
import { anchorTimes, monotonicNowMs, type CallTimes } from '../settle/call-times.ts';
import { DialPermit } from './dial-permit.ts';
import type { HangUpCause } from '../settle/end-reason.ts';
import { LEASE_TIMES } from '../lease.ts';
import type { TrackedLease } from './lease-renewer.ts';
import type { HeardOptOut } from './keep-opt-out.ts';
import { LegConversation } from './leg-conversation.ts';
import type { LegDriverDeps, LegDriverInput } from './leg-driver-input.ts';
import { LegFunds } from './leg-funds.ts';
import { LegLimit } from './leg-limit.ts';
import { LegTransfer } from './leg-transfer.ts';
import { LegTurns } from './leg-turns.ts';
import { WarmTransfer } from './warm-transfer.ts';
import { NOT_DIALED, type HangUp, type LegReport } from '../settle/leg-report.ts';
import type { UsageReport } from '../usage-cost.ts';
import type { TurnLog } from './turn-log.ts';

/** One claimed call, from its dial to the end of its leg: handles its events and decides when to hang up. */
export class LegDriver {
  readonly fencingToken: FencingToken;
  readonly times: CallTimes;
  readonly #deps: LegDriverDeps;
  readonly #input: LegDriverInput;
  readonly #call: ClaimedCall;
  readonly #logger: Logger;
  readonly #record: CallRecord;
  readonly #fencing = new AbortController();
  /** Aborts once the call must not be dialed any more. */
  readonly #leaving = new AbortController();
  #leg: Leg | undefined;
  readonly #conversation: LegConversation;
  readonly #limit: LegLimit;
  readonly #turns: LegTurns;
  readonly #funds: LegFunds;
  readonly #transfer: LegTransfer;
  readonly #warm: WarmTransfer;
  #lease: Pick<TrackedLease, 'renewedAt'> | undefined;
  #dialledAtMs = 0;
  #answeredAtMs: number | null = null;
  #answeredBy: AnsweredBy | null = null;
  #hangUp: HangUp | null = null;
  #optOut: HeardOptOut | null = null;
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
    this.#conversation = new LegConversation(deps, call);
    this.#turns = new LegTurns(deps, call);
    this.#limit = new LegLimit(deps.clock, call.limits);
    this.#funds = new LegFunds(deps, call, logger);
    this.#record = createCallRecord({
      store: deps.store,
      clock: deps.clock,
      logger,
      fencingToken: this.fencingToken,
      times: this.times,
      onFenced: () => this.fence(),
      onEndRequested: () => this.hangUp('end_requested'),
    });
    const isLeaving = () => this.#hangUp !== null || this.#over || this.fenced.aborted;
    // Who has opted out meets that wherever the call went.
    const onTransferred = (atMs: number) => this.#hangUpAt(this.#optOut ? 'opted_out' : 'transferred', atMs);
    this.#warm = new WarmTransfer(deps, {
      call,
      logger,
      isLeaving,
      record: this.#record,
      times: this.times,
      lease: () => this.#lease,
      answeredAtMs: () => this.#answeredAtMs,
      onAnswered: (second) => this.#conversation.introduce(second),
      onFailed: (failure) => this.#transfer.onWarmFailed(failure),
      onOver: onTransferred,
      onExhausted: (atMs) => this.#hangUpAt('funds_exhausted', atMs),
      onFenced: () => this.fence(),
    });
    this.#transfer = new LegTransfer({
      warm: this.#warm,
      call,
      rules: deps.transfers,
      clock: deps.clock,
      logger,
      record: this.#record,
      leg: () => this.#leg,
      isLeaving,
      onFailed: (failure) => this.#conversation.transferFailed(failure),
      onTransferred,
    });
  }

  /** Aborts once another worker owns the call. */
  get fenced(): AbortSignal {
    return this.#fencing.signal;
  }

  get turns(): TurnLog {
    return this.#turns.log;
  }

  /** Dials and talks. Resolves once all its legs are gone, or can no longer be up. Call it once. */
  async run(lease: Pick<TrackedLease, 'renewedAt'>): Promise<LegReport> {
    this.#lease = lease;
    const permit = this.#createDialPermit(lease);
    const end = await new Promise<LegEnd>((resolve) => {
      this.#onEnd = resolve;
      this.#dial(permit);
    });
    const endedAtMs = monotonicNowMs(this.#deps.clock);
    await this.#warm.gone();
    const [conversation] = await Promise.all([this.#conversation.finish() ?? null, this.#record.finish()]);
    return {
      end,
      dialled: permit.wasUsed,
      endedAtMs,
      answeredAtMs: this.#answeredAtMs,
      answeredBy: conversation?.answeredBy ?? this.#answeredBy,
      hangUp: this.#hangUp,
      optOut: this.#optOut && { evidence: this.#optOut.evidence, note: this.#optOut.note },
      conversation,
      usage: this.usageReport(),
      turnMetrics: this.#turns.metrics,
      holdMicros: this.#funds.holdMicros(),
      legs: this.#warm.reports(),
    };
  }

  /** The callee wants no more calls; null until it says so. */
  get optOut(): HeardOptOut | null {
    return this.#optOut;
  }

  /** Models have used this since the last report. */
  usage(entries: readonly UsageEntry[]): void {
    this.#funds.spend(entries);
  }

  /** What models have used in all; null without any. The same object until there is more. */
  usageReport(): UsageReport | null {
    return this.#funds.usageReport();
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
    this.#leave({ cause, atMs, failure });
  }

  #leave(hangUp: HangUp): void {
    if (this.#hangUp || this.#over) return;
    this.#hangUp = hangUp;
    this.#leaveLeg();
  }

  #leaveLeg(): void {
    this.#leaving.abort();
    this.#funds.stop();
    // Nothing is said, heard or recorded that is not billed, however long the far end takes to confirm (RFC 3261
    // section 15.1.1).
    void this.#conversation.finish();
    this.#warm.hangUp(this.#hangUp?.atMs ?? monotonicNowMs(this.#deps.clock));
    if (!this.#leg) return;
    this.#limit.hangingUp(this.#dialledAtMs, () => {
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
    this.#limit.ringing(this.#dialledAtMs, () => this.hangUp('ring_timeout'));
  }

  #createDialPermit(lease: Pick<TrackedLease, 'renewedAt'>): DialPermit {
    const { carrier, trunks, leaseTimes = LEASE_TIMES } = this.#deps;
    return new DialPermit({
      ...this.#deps,
      ...this.#input,
      carrier: carrier.name,
      trunks,
      leaseTimes,
      lease,
      record: this.#record,
      isWanted: () => !this.#hangUp && !this.fenced.aborted,
      unwanted: this.#leaving.signal,
      onPaused: () => this.#limit.cancel(),
      onReclaimed: () => this.#onReclaimed(),
      onRefused: (refused) => this.#onRefused(refused),
      onFenced: () => this.fence(),
    });
  }

  #onRefused({ reason, givesBack }: Refused): void {
    const cause = reason === 'cancelled' ? 'end_requested' : reason;
    this.#leave({ cause, atMs: monotonicNowMs(this.#deps.clock), ...(givesBack && { givesBack }) });
  }

  /** The ring timeout counts from the dial, which comes only now. */
  #onReclaimed(): void {
    // The call was hung up in between: the limit of the hang-up is in force and must stay.
    if (this.#leaving.signal.aborted) return;
    this.#dialledAtMs = monotonicNowMs(this.#deps.clock);
    this.#limitRinging();
  }

  #converse(leg: Leg, settings: AgentSettings): void {
    try {
      this.#conversation.open(leg, settings, (event) => this.#onConversationEvent(event));
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
        return this.#conversation.setOnHold(event.isOnHold);
      case 'transfer':
        return this.#transfer.onOutcome(event);
      case 'ended':
        return this.#end(event.end);
      default:
        return unreachable(event);
    }
  }

  #onAnswered(): void {
    // The carrier undoes an answer that crosses our hang-up: there was no talk, and there is no charge.
    if (this.#answeredAtMs !== null || this.#hangUp || this.fenced.aborted) return;
    const answeredAtMs = monotonicNowMs(this.#deps.clock);
    this.#answeredAtMs = answeredAtMs;
    this.#conversation.answered();
    this.#record.inProgress(answeredAtMs);
    this.#limit.talking(answeredAtMs, (atMs) => this.#hangUpAt('max_duration', atMs));
    this.#funds.answered({
      answeredAtMs,
      onExhausted: (atMs) => this.#hangUpAt('funds_exhausted', atMs),
      onFenced: () => this.fence(),
    });
  }

  #onConversationEvent(event: ConversationEvent): void {
    switch (event.kind) {
      case 'answered_by':
        this.#answeredBy = event.answeredBy;
        return this.#record.answeredBy(event.answeredBy, this.#hangUp?.atMs ?? monotonicNowMs(this.#deps.clock));
      case 'usage':
        return this.usage(event.entries);
      case 'opt_out':
        return this.#onOptOut(event);
      case 'transfer':
        return void this.#transfer.begin(event);
      case 'introduced':
        return this.#transfer.onIntroduced();
      case 'hang_up':
        return this.hangUp(event.reason, event.failure);
      case 'tool_called':
      case 'provider_failed':
      case 'provider_recovered':
        return this.#record.note(noteOf(event), this.#hangUp?.atMs ?? monotonicNowMs(this.#deps.clock));
      case 'turn':
        return this.fenced.aborted ? undefined : this.#turns.said(event.turn);
      case 'turn_metrics':
        return this.#turns.measured(event);
      default:
        return unreachable(event);
    }
  }

  /** Stored at once, not with the end of the call: nothing that happens to this worker may lose it. */
  #onOptOut({ evidence, note }: OptOut): void {
    if (this.#optOut) return;
    const atMs = this.times.wallMsOf(this.#hangUp?.atMs ?? monotonicNowMs(this.#deps.clock));
    this.#optOut = { ...this.fencingToken, evidence, note, atMs };
    this.#record.optOut(this.#optOut);
  }

  #end(end: LegEnd): void {
    const atMs = monotonicNowMs(this.#deps.clock);
    // The callee hangs up on the destination: the agent had left.
    if (this.#warm.isConnected && end.outcome === 'completed' && end.by === 'callee')
      this.#hangUp ??= { cause: this.#optOut ? 'opted_out' : 'transferred', atMs };
    this.#over = true;
    this.#warm.hangUp(atMs);
    this.#limit.cancel();
    this.#funds.stop();
    this.#onEnd?.(end);
  }
}
