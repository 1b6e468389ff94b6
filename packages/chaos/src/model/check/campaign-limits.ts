import { inUse, isOpen, type CampaignCallView, type CampaignView } from './campaign-view.ts';
import type { Promises } from './promises.ts';

/** Of sums of binary fractions. */
const ROUNDING = 1e-6;

/** The tokens of a campaign's pace, by the model's own account. */
interface Bucket {
  tokens: number;
  atMs: number;
  /** The highest pace since. */
  pace: number;
}

/** What bounds the calls of campaigns, at every moment: concurrency, the account's percent, pace and budget. */
export class CampaignLimits {
  readonly #promises: Promises;
  readonly #buckets = new Map<string, Bucket>();

  constructor(promises: Promises) {
    this.#promises = promises;
  }

  /** A bound that was lowered ends no call: what a statement adds must be within it. */
  judge(before: readonly CampaignView[], after: readonly CampaignView[], nowMs: number): void {
    for (const campaign of after) {
      const was = before.find(({ id }) => id === campaign.id);
      if (!was) continue;
      const taken = newlyTaken(was, campaign).length;
      const admitted = newlyOpen(was, campaign).length;
      this.#pace(campaign, taken, nowMs);
      if (taken + admitted === 0) continue;
      this.#concurrency(campaign, nowMs);
      this.#percent(campaign, after, nowMs);
      if (admitted > 0) this.#budget(campaign);
    }
  }

  #concurrency(campaign: CampaignView, nowMs: number): void {
    const { maxConcurrent } = campaign;
    const calls = inUse(campaign, nowMs);
    if (maxConcurrent !== null && calls > maxConcurrent)
      this.#violate(campaign, 'no campaign has too many calls at once', `${calls} of ${maxConcurrent}`);
  }

  #percent(campaign: CampaignView, all: readonly CampaignView[], nowMs: number): void {
    const calls = all
      .filter(({ account }) => account === campaign.account)
      .reduce((sum, one) => sum + inUse(one, nowMs), 0);
    if (calls > campaign.slots)
      this.#violate(campaign, 'campaigns leave slots to single calls', `${calls} of ${campaign.slots}`);
  }

  /** Of one second's burst, and one call at least. A call may be admitted as often as it is taken. */
  #pace(campaign: CampaignView, taken: number, nowMs: number): void {
    const { id, callsPerSecond: pace } = campaign;
    if (pace === null) {
      this.#buckets.delete(id);
      return;
    }
    const burst = Math.max(1, pace);
    const bucket = this.#buckets.get(id) ?? { tokens: burst, atMs: nowMs, pace };
    this.#buckets.set(id, bucket);
    bucket.pace = Math.max(bucket.pace, pace);
    if (taken === 0) return;
    const passedSeconds = (nowMs - bucket.atMs) / 1_000;
    bucket.tokens = Math.min(burst, bucket.tokens + bucket.pace * passedSeconds) - taken;
    bucket.atMs = nowMs;
    bucket.pace = pace;
    if (bucket.tokens < -ROUNDING)
      this.#violate(campaign, 'no campaign calls faster than its pace', `${taken} at once, ${-bucket.tokens} too many`);
  }

  /** No hold grows: no call of a campaign lasts longer than its first hold. */
  #budget(campaign: CampaignView): void {
    const { budget, calls } = campaign;
    const spent = calls.reduce((sum, call) => sum + (isOpen(call) ? call.hold : call.cost), 0);
    if (budget !== null && spent > budget)
      this.#violate(campaign, 'no campaign exceeds its budget', `${spent} of ${budget}`);
  }

  #violate({ id }: CampaignView, promise: string, detail: string): void {
    this.#promises.violate(promise, `campaign ${id.slice(-3)}: ${detail}`);
  }
}

function newlyTaken(before: CampaignView, after: CampaignView): readonly CampaignCallView[] {
  const tokens = new Set(before.calls.map(({ token }) => token));
  return after.calls.filter(({ token }) => token !== null && !tokens.has(token));
}

function newlyOpen(before: CampaignView, after: CampaignView): readonly CampaignCallView[] {
  const open = new Set(before.calls.filter(isOpen).map(({ id }) => id));
  return after.calls.filter((call) => isOpen(call) && !open.has(call.id));
}
