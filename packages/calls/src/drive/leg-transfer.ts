import { TRANSFER_LIMITS, type TransferTarget } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { ClaimedCall } from '../ports/drive-store.ts';
import type { Leg, LegEvent } from '../ports/carrier.ts';
import type { TransferRules } from '../ports/transfers.ts';
import type { TransferFailure, TransferWish, WarmTransfer as WarmTransferWish } from '../ports/voice-agent.ts';
import type { Rate } from '../rate-deck.ts';
import { monotonicNowMs } from '../settle/call-times.ts';
import type { CallRecord } from './call-record.ts';
import type { WarmTransfer } from './warm-transfer.ts';

export interface LegTransferOptions {
  readonly call: Pick<ClaimedCall, 'accountId'>;
  readonly warm: Pick<WarmTransfer, 'begin' | 'connected'>;
  /** Without it, no number is a destination. */
  readonly rules: TransferRules | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly record: Pick<CallRecord, 'note' | 'recorded'>;
  readonly leg: () => Leg | undefined;
  /** The call is being hung up, or is over. */
  readonly isLeaving: () => boolean;
  readonly onFailed: (failure: TransferFailure) => void;
  readonly onTransferred: (atMs: number) => void;
}

/** The transfers of one call: asks the far end for one at a time, a few times at most, and writes what becomes of it. */
export class LegTransfer {
  readonly #options: LegTransferOptions;
  #attempts = 0;
  #isPending = false;
  /** The destination that was wished for last. */
  #wish: TransferWish | null = null;
  /** The names of the destinations that the far end was asked for: its report may be on an earlier one. */
  readonly #asked = new Map<string, string>();

  constructor(options: LegTransferOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async begin(wish: TransferWish): Promise<void> {
    const { destination, target, warm } = wish;
    const { leg, isLeaving } = this.#options;
    if (this.#isPending) return;
    this.#isPending = true;
    this.#wish = wish;
    if (warm) return this.#beginWarm(wish, warm);
    const problem = await this.#problemOf(target);
    if (isLeaving()) return;
    if (problem !== null) return this.#fail({ reason: problem, sipCode: null });
    this.#asked.set(keyOf(target), destination);
    await this.#started(wish, 'the far end is asked to transfer the callee');
    if (!isLeaving()) leg()?.transfer({ target, timeoutMs: TRANSFER_LIMITS.withinMs });
  }

  /** The callee and the destination of a warm transfer hear each other, and the agent has left. */
  onIntroduced(): void {
    const { clock, logger, isLeaving, onTransferred, warm } = this.#options;
    if (isLeaving()) return;
    // The agent is gone: without the destination, the callee would hear nothing.
    if (!warm.connected()) return onTransferred(monotonicNowMs(clock));
    logger.info({ event: 'call.transferred', sipCode: null }, 'the callee was connected with the destination');
    if (this.#wish) this.#note({ ...named(this.#wish), state: 'succeeded' });
  }

  /** The second leg of a warm transfer ended before it was connected. */
  onWarmFailed(failure: TransferFailure): void {
    if (this.#isPending && !this.#options.isLeaving()) this.#fail(failure);
  }

  async #beginWarm(wish: TransferWish, { ringTimeoutSeconds }: WarmTransferWish): Promise<void> {
    const { destination, target } = wish;
    const { isLeaving, warm } = this.#options;
    const rate = await this.#rateOf(target);
    if (isLeaving()) return;
    if (typeof rate === 'string' || target.kind === 'uri')
      return this.#fail({ reason: typeof rate === 'string' ? rate : 'destination_not_allowed', sipCode: null });
    await this.#started(wish, 'the destination is called while the callee waits');
    if (isLeaving()) return;
    const reason = await warm.begin({ destination, number: target.number, rate, ringTimeoutSeconds });
    if (reason !== null) this.onWarmFailed({ reason, sipCode: null });
  }

  async #started(wish: TransferWish, message: string): Promise<void> {
    const { record, logger } = this.#options;
    this.#attempts += 1;
    logger.info({ event: 'call.transfer_started' }, message);
    this.#note({ ...named(wish), state: 'started' });
    // A worker that has lost the call must not send the callee away; its writes never return.
    await record.recorded();
  }

  onOutcome({ outcome, target }: Extract<LegEvent, { kind: 'transfer' }>): void {
    const { clock, logger, isLeaving, onTransferred } = this.#options;
    if (isLeaving()) return;
    const sipCode = 'sipCode' in outcome ? outcome.sipCode : null;
    if (outcome.kind !== 'transferred') {
      if (this.#isPending) this.#fail({ reason: outcome.kind, sipCode });
      return;
    }
    logger.info({ event: 'call.transferred', sipCode }, 'the callee was transferred');
    const destination = this.#asked.get(keyOf(target)) ?? '';
    this.#note({ destination, state: 'succeeded', ...(sipCode === null ? {} : { sip_code: sipCode }) });
    onTransferred(monotonicNowMs(clock));
  }

  async #problemOf(target: TransferWish['target']): Promise<TransferFailure['reason'] | null> {
    const { call, rules, logger } = this.#options;
    if (this.#attempts >= TRANSFER_LIMITS.attempts) return 'too_many';
    // The trunk says whether a URI may be called: no rate stands for it.
    if (target.kind === 'uri') return null;
    try {
      return rules === undefined ? 'destination_not_allowed' : await rules.problemOf(call.accountId, target.number);
    } catch (error) {
      logger.warn({ event: 'call.transfer_unchecked', err: error }, 'a transfer could not be checked');
      return 'unavailable';
    }
  }

  async #rateOf(target: TransferWish['target']): Promise<Rate | TransferFailure['reason']> {
    const { call, rules, logger } = this.#options;
    if (this.#attempts >= TRANSFER_LIMITS.attempts) return 'too_many';
    if (rules === undefined || target.kind === 'uri') return 'destination_not_allowed';
    try {
      return await rules.rateOf(call.accountId, target.number);
    } catch (error) {
      logger.warn({ event: 'call.transfer_unchecked', err: error }, 'a transfer could not be checked');
      return 'unavailable';
    }
  }

  #fail(failure: TransferFailure): void {
    const { reason, sipCode } = failure;
    this.#isPending = false;
    this.#options.logger.info({ event: 'call.transfer_failed', reason, sipCode }, 'the callee was not transferred');
    this.#note({
      ...(this.#wish ? named(this.#wish) : {}),
      state: 'failed',
      failure: reason,
      ...(sipCode === null ? {} : { sip_code: sipCode }),
    });
    this.#options.onFailed(failure);
  }

  #note(data: Readonly<Record<string, unknown>>): void {
    const { record, clock } = this.#options;
    record.note({ type: 'transfer', data }, monotonicNowMs(clock));
  }
}

const keyOf = (target: TransferTarget): string => (target.kind === 'number' ? target.number : target.uri);

const named = ({ destination, warm }: TransferWish) => ({ destination, ...(warm && { mode: 'warm' }) });
