import type { LineLimits } from '@outdial/calls';
import type { RanScript } from '../stores/redis-link.ts';
import type { WorldClock } from '../world/clock.ts';
import type { Promises } from './promises.ts';

const HALF_OPEN_MS = 120_000;
const PROBE_MS = 30_000;

interface Outage {
  readonly untilMs: number;
  probe: { readonly callId: string; readonly untilMs: number } | null;
}

/** A call that gets a line: which, and whether it asked for it as a fallback. */
export interface Grant {
  readonly callId: string;
  readonly lines: readonly string[];
  readonly isFallback: boolean;
}

/**
 * No call passes an open breaker, a half-open one is tried by one call at a time, and one that accounts share opens for
 * faults of two of them, by the scripts' own replies.
 */
export class BreakerWatch {
  readonly #clock: WorldClock;
  readonly #promises: Promises;
  readonly #breakers: ReadonlyMap<string, readonly string[]>;
  readonly #outages = new Map<string, Outage>();
  readonly #granted = new Set<string>();
  /** Of the breakers that accounts share: who saw faults since it opened or closed last. */
  readonly #faults = new Map<string, Set<string>>();
  #hasForgotten = false;

  constructor(clock: WorldClock, promises: Promises, lines: readonly LineLimits[]) {
    this.#clock = clock;
    this.#promises = promises;
    this.#breakers = new Map(lines.map(({ name, breakers }) => [name, breakers]));
  }

  /** Redis may have lost what it knew. */
  forget(): void {
    this.#hasForgotten = true;
    this.#outages.clear();
  }

  /** Whether a breaker holds calls of this line back: they then wait for no place. */
  holdsBack(line: string): boolean {
    return (this.#breakers.get(line) ?? []).some((name) => this.#outageOf(name) !== undefined);
  }

  ran({ what, parameters, reply }: RanScript): void {
    if (!Array.isArray(reply)) return;
    const [, , breaker = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = parameters;
    if (what.startsWith('Opens or closes a breaker') && String(reply[0]) === 'changed') {
      // The model opens some by hand: they need no check.
      const isSeen = third === 'open' && second === '0' && sixth === '-' && fifth === '0';
      if (isSeen) this.#checkAccounts(breaker);
      if (third === 'open') this.#outages.set(breaker, { untilMs: this.#clock.nowMs + Number(fourth), probe: null });
      if (third === 'close') this.#outages.delete(breaker);
      if (third === 'open' || third === 'close') this.#faults.delete(breaker);
    }
    if (!what.startsWith('Records what the use of a model showed')) return;
    if (fourth === 'fault') this.#faults.set(breaker, (this.#faults.get(breaker) ?? new Set()).add(third));
    if (fourth === 'neither') {
      const outage = this.#outages.get(breaker);
      if (outage?.probe?.callId === second && outage.untilMs <= this.#clock.nowMs) outage.probe = null;
    }
  }

  granted({ callId, lines, isFallback }: Grant): void {
    for (const line of lines) {
      const grant = `${callId} ${line}`;
      const isNew = isFallback || !this.#granted.has(grant);
      this.#granted.add(grant);
      if (isNew) for (const name of this.#breakers.get(line) ?? []) this.#pass(name, callId);
    }
  }

  #checkAccounts(breaker: string): void {
    if (this.#hasForgotten || (this.#faults.get(breaker)?.size ?? 0) >= 2) return;
    this.#promises.violate('one account closes no model for others', breaker);
  }

  #pass(breaker: string, callId: string): void {
    const outage = this.#outageOf(breaker);
    if (outage === undefined) return;
    const { nowMs } = this.#clock;
    if (nowMs < outage.untilMs) this.#promises.violate('no call passes an open breaker', `${callId}: ${breaker}`);
    const { probe } = outage;
    if (probe?.callId === callId) return;
    if (probe && nowMs < probe.untilMs)
      this.#promises.violate('one call at a time tries a half-open breaker', `${callId}: ${breaker}`);
    outage.probe = { callId, untilMs: nowMs + PROBE_MS };
  }

  #outageOf(breaker: string): Outage | undefined {
    const outage = this.#outages.get(breaker);
    return outage && this.#clock.nowMs - outage.untilMs < HALF_OPEN_MS ? outage : undefined;
  }
}
