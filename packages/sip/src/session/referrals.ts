import type { ReceivedRequest } from '../syntax/message.ts';
import { Referral, referEventId, type ReferralOptions, type ReferRequest } from './referral.ts';

/** The REFERs of one dialog, one at a time. Those that were never reported on are remembered: their report may be late. */
export class Referrals {
  readonly #options: Omit<ReferralOptions, 'request'>;
  #referrals: Referral[] = [];

  constructor(options: Omit<ReferralOptions, 'request'>) {
    this.#options = options;
  }

  /** False while another REFER is pending. */
  begin(request: ReferRequest): boolean {
    if (this.#referrals.some(({ isPending }) => isPending)) return false;
    const referral = new Referral({ ...this.#options, request });
    this.#referrals.unshift(referral);
    referral.begin();
    return true;
  }

  /**
   * The final response to a NOTIFY; `respond` is called with it before the report takes effect. 481 ends a subscription
   * that is not ours (RFC 6665 section 4.1.3).
   */
  notified(request: ReceivedRequest, respond: (status: 200 | 481 | 489) => void): void {
    const id = referEventId(request);
    if (id === undefined) return respond(489);
    // Before a REFER is answered its number is unknown: a late report on an earlier one must not count for it.
    const known = this.#referrals.find((one) => one.isExactly(id));
    const referral = known ?? this.#referrals.find((one) => one.isNamed(id));
    respond(referral === undefined ? 481 : 200);
    referral?.notified(request);
  }

  /** The far end sent BYE. */
  byeReceived(): void {
    for (const referral of this.#referrals) referral.byeReceived();
  }

  /** The dialog ends. */
  stop(): void {
    for (const referral of this.#referrals) referral.stop();
    this.#referrals = [];
  }
}
