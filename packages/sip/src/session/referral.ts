import { TimerSet, type Clock } from '../clock.ts';
import type { ReceivedRequest, ReceivedResponse } from '../syntax/message.ts';
import { parseParams } from '../syntax/params.ts';
import { readSipFragStatus } from '../syntax/sipfrag.ts';
import type { RequestResult } from './dialog-client.ts';

/** Asks the far end to call another address instead of us (RFC 3515, RFC 5589). */
export interface ReferRequest {
  /** A SIP URI. */
  readonly target: string;
  /** Who asks, as a SIP URI (RFC 3892). */
  readonly referredBy: string;
  /** From the REFER to the report of its outcome. A report of success counts even later. */
  readonly timeoutMs: number;
}

/** How a REFER went: a closed list. */
export type ReferralOutcome =
  /**
   * The far end reported that the new call was answered, or took the REFER and reports nothing: it refused the
   * subscription (RFC 4488), or hung up at once.
   */
  | { readonly kind: 'transferred'; readonly sipCode: number | null }
  /** A final response of 3xx to 6xx to the REFER: nothing was called. */
  | { readonly kind: 'refused'; readonly sipCode: number }
  /** The new call failed, with that response if the far end named one. */
  | { readonly kind: 'failed'; readonly sipCode: number | null }
  /** There was no response, or no report of the outcome in time. */
  | { readonly kind: 'unreported' };

export interface ReferralOptions {
  readonly request: ReferRequest;
  readonly clock: Clock;
  /** Sends a REFER, and reports its final response once. */
  readonly send: (request: ReferRequest, onResult: (result: RequestResult) => void) => void;
  /** How long to wait after a collision with another request (RFC 3261 section 14.1). */
  readonly pauseMs: () => number;
  /** Called once; a second time with `transferred` if the report of success came after `unreported`. */
  readonly onOutcome: (outcome: ReferralOutcome, request: ReferRequest) => void;
  /** The far end does not know the call. */
  readonly onUnknownCall: (detail: string) => void;
}

const MAX_REFERS = 3;

/** One REFER, from its sending to the report of its outcome by NOTIFY. */
export class Referral {
  readonly #options: ReferralOptions;
  readonly #timers: TimerSet<'limit' | 'again'>;
  #refers = 0;
  /** Of the REFER that was accepted: its number names the subscription. */
  #cseq: number | undefined;
  #isNotified = false;
  #outcome: ReferralOutcome['kind'] | 'stopped' | undefined;

  constructor(options: ReferralOptions) {
    this.#options = options;
    this.#timers = new TimerSet(options.clock);
  }

  begin(): void {
    this.#timers.start('limit', this.#options.request.timeoutMs, () => this.#end({ kind: 'unreported' }));
    this.#refer();
  }

  get isPending(): boolean {
    return this.#outcome === undefined;
  }

  /** Whether a NOTIFY with that `id` reports on this REFER for certain. */
  isExactly(id: string | null): boolean {
    return this.#cseq !== undefined && id === String(this.#cseq);
  }

  /** Whether one with that `id` may report on it: without an `id`, on the latest one. */
  isNamed(id: string | null): boolean {
    return id === null || this.#cseq === undefined || id === String(this.#cseq);
  }

  /** The NOTIFY is already answered. */
  notified({ headers, body }: ReceivedRequest): void {
    this.#isNotified = true;
    const status = readSipFragStatus(body) ?? 100;
    if (status >= 300) return this.#end({ kind: 'failed', sipCode: status });
    if (status >= 200) return this.#end({ kind: 'transferred', sipCode: status });
    const [state = ''] = (headers.get('subscription-state') ?? '').toLowerCase().split(';');
    // No further report will come.
    if (state.trim() === 'terminated') this.#end({ kind: 'failed', sipCode: null });
  }

  /**
   * The far end sent BYE. One that reports at all sends its first NOTIFY at once (RFC 3515 section 2.4.4): a far end that
   * took the REFER, sent none and hangs up has taken the call away. Otherwise the callee hung up.
   */
  byeReceived(): void {
    const hasTakenCall = this.isPending && this.#cseq !== undefined && !this.#isNotified;
    if (hasTakenCall) this.#end({ kind: 'transferred', sipCode: null });
    this.stop();
  }

  /** The call is over: nothing more is reported. */
  stop(): void {
    this.#timers.cancelAll();
    this.#outcome = 'stopped';
  }

  #refer(): void {
    const { request, send } = this.#options;
    this.#refers += 1;
    send(request, (result) => {
      if (!this.isPending) return;
      if (result.kind === 'lost') this.#end({ kind: 'unreported' });
      else this.#answered(result.response);
    });
  }

  #answered({ status, headers, cseq }: ReceivedResponse): void {
    const { pauseMs, onUnknownCall } = this.#options;
    if (status < 300) {
      this.#cseq = cseq.number;
      // The far end refuses to report (RFC 4488): its acceptance is all that will be known.
      const isSilent = headers.get('refer-sub')?.trim().toLowerCase().startsWith('false') === true;
      if (isSilent) this.#end({ kind: 'transferred', sipCode: null });
    } else if (status === 491 && this.#refers < MAX_REFERS) this.#timers.start('again', pauseMs(), () => this.#refer());
    else {
      this.#end({ kind: 'refused', sipCode: status });
      if (status === 481) onUnknownCall('the REFER was answered with 481');
    }
  }

  #end(outcome: ReferralOutcome): void {
    // The callee is connected all the same: our leg is no longer needed.
    const isLateSuccess = this.#outcome === 'unreported' && outcome.kind === 'transferred';
    if (!this.isPending && !isLateSuccess) return;
    this.#timers.cancelAll();
    this.#outcome = outcome.kind;
    this.#options.onOutcome(outcome, this.#options.request);
  }
}

/** The `id` of a NOTIFY about a REFER, null without one; undefined for another event (RFC 3515 section 2.4.6). */
export function referEventId({ headers }: ReceivedRequest): string | null | undefined {
  const [event = '', ...params] = (headers.get('event') ?? '').split(';');
  if (event.trim().toLowerCase() !== 'refer') return undefined;
  return parseParams(params.join(';')).get('id') ?? null;
}
