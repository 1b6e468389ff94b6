import type { AccountId, BreakerName, CallId } from '@outdial/contracts';
import type { BreakerEvidence } from '../../breaker.ts';
import type { BreakerChange, Breakers, KnownOfBreaker, OpenBreaker, SeenOutcome } from '../../ports/breakers.ts';

interface Probe {
  readonly callId: CallId | null;
  readonly accountId: AccountId;
  readonly untilMs: number;
}

interface Outage {
  readonly streak: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly owner: AccountId | null;
  isChecked: boolean;
  checkUntilMs: number;
  probe: Probe | null;
}

const KEPT_OF_ACCOUNT = 20;
const KEPT = 200;
const KEPT_FOR_MS = 300_000;
const HALF_OPEN_MS = 120_000;
const PROBE_MS = 30_000;
const OTHERS_FIRST_MS = 2_000;
const CHECKED_WITHIN_MS = 15_000;
const CHECK_MS = 12_000;
const RETRY_MS = 500;
const MOST_OF_OWNER = 20;

/** The breakers of one process, by the rules that Redis has for all of them. */
export class MemoryBreakers implements Breakers {
  readonly #nowMs: () => number;
  readonly #outages = new Map<BreakerName, Outage>();
  readonly #evidence = new Map<BreakerName, readonly BreakerEvidence[]>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async record({ breaker, callId, accountId, outcome }: SeenOutcome): Promise<KnownOfBreaker> {
    const nowMs = this.#nowMs();
    const outage = this.#outageOf(breaker);
    if (!outage) {
      if (outcome !== 'neither') this.#evidence.set(breaker, this.#with(breaker, { atMs: nowMs, outcome, accountId }));
      const evidence = outcome === 'fault' ? (this.#evidence.get(breaker) ?? []) : [];
      return { nowMs, outage: null, isProbe: false, evidence };
    }
    const isProbe = outage.probe?.callId === callId && outage.untilMs <= nowMs;
    if (isProbe && outcome === 'neither' && outage.probe)
      outage.probe = { ...outage.probe, callId: null, untilMs: nowMs };
    const { streak, sinceMs, untilMs } = outage;
    return { nowMs, outage: { streak, sinceMs, untilMs }, isProbe, evidence: [] };
  }

  async change(breaker: BreakerName, streak: number, change: BreakerChange): Promise<'changed' | 'unchanged'> {
    const outage = this.#outageOf(breaker);
    if ((outage?.streak ?? 0) !== streak) return 'unchanged';
    if (change.kind === 'open') return this.#open(breaker, change, outage);
    if (!outage) return 'unchanged';
    if (change.kind === 'close') {
      this.#outages.delete(breaker);
      this.#evidence.delete(breaker);
      return 'changed';
    }
    const nowMs = this.#nowMs();
    if (outage.isChecked || outage.untilMs > nowMs) return 'unchanged';
    if (change.kind === 'begin_check' && outage.checkUntilMs > nowMs) return 'unchanged';
    if (change.kind === 'begin_check') outage.checkUntilMs = nowMs + CHECK_MS;
    else outage.isChecked = true;
    return 'changed';
  }

  async open(): Promise<readonly OpenBreaker[]> {
    const nowMs = this.#nowMs();
    return [...this.#outages.keys()].flatMap((breaker) => {
      const outage = this.#outageOf(breaker);
      if (!outage) return [];
      const { streak, sinceMs, untilMs, isChecked, checkUntilMs, owner } = outage;
      const needsCheck = !isChecked && untilMs <= nowMs && checkUntilMs <= nowMs;
      return [{ breaker, streak, sinceMs, untilMs, forMs: Math.max(0, untilMs - nowMs), needsCheck, owner }];
    });
  }

  /** For how long a call is held back; 0 if it is let through. */
  heldBackMs(breaker: BreakerName, callId: CallId, accountId: AccountId): number {
    return this.#heldBackMs(breaker, callId, accountId);
  }

  #heldBackMs(breaker: BreakerName, callId: CallId | null, accountId: AccountId): number {
    const outage = this.#outageOf(breaker);
    if (!outage) return 0;
    const nowMs = this.#nowMs();
    if (outage.untilMs > nowMs) return Math.ceil(outage.untilMs - nowMs);
    const { probe, isChecked, untilMs } = outage;
    if (callId !== null && probe?.callId === callId) return 0;
    const isTried = probe !== null && probe.untilMs > nowMs;
    const awaitsCheck = !isChecked && nowMs - untilMs < CHECKED_WITHIN_MS;
    const isOthersTurn = probe?.accountId === accountId && nowMs - Math.max(untilMs, probe.untilMs) < OTHERS_FIRST_MS;
    return isTried || awaitsCheck || isOthersTurn ? RETRY_MS : 0;
  }

  /** How many calls that are not known yet it lets through now. */
  mostLetThrough(breaker: BreakerName, accountId: AccountId): number {
    if (!this.#outageOf(breaker)) return Infinity;
    return this.#heldBackMs(breaker, null, accountId) > 0 ? 0 : 1;
  }

  letThrough(breaker: BreakerName, callId: CallId, accountId: AccountId): void {
    const outage = this.#outageOf(breaker);
    const nowMs = this.#nowMs();
    if (!outage || outage.untilMs > nowMs || outage.probe?.callId === callId) return;
    outage.probe = { callId, accountId, untilMs: nowMs + PROBE_MS };
  }

  #open(
    breaker: BreakerName,
    { forMs, isChecked, owner: opener }: Extract<BreakerChange, { kind: 'open' }>,
    before: Outage | undefined,
  ): 'changed' | 'unchanged' {
    const owner = before ? before.owner : opener;
    const others = [...this.#outages].filter(([name, one]) => name !== breaker && one.owner === owner);
    if (owner !== null && others.filter(([name]) => this.#outageOf(name)).length >= MOST_OF_OWNER) return 'unchanged';
    const nowMs = this.#nowMs();
    this.#evidence.delete(breaker);
    this.#outages.set(breaker, {
      streak: (before?.streak ?? 0) + 1,
      sinceMs: before?.sinceMs ?? nowMs,
      untilMs: nowMs + forMs,
      owner,
      isChecked,
      checkUntilMs: 0,
      probe: before?.probe ? { ...before.probe, callId: null, untilMs: 0 } : null,
    });
    return 'changed';
  }

  #outageOf(breaker: BreakerName): Outage | undefined {
    const outage = this.#outages.get(breaker);
    return outage && this.#nowMs() - outage.untilMs < HALF_OPEN_MS ? outage : undefined;
  }

  #with(breaker: BreakerName, seen: BreakerEvidence): readonly BreakerEvidence[] {
    const fresh = (this.#evidence.get(breaker) ?? []).filter(({ atMs }) => seen.atMs - atMs < KEPT_FOR_MS);
    const own = fresh.filter(({ accountId }) => accountId === seen.accountId);
    const kept = own.length >= KEPT_OF_ACCOUNT ? fresh.filter((one) => one !== own[0]) : fresh;
    return [...kept, seen].slice(-KEPT);
  }
}
