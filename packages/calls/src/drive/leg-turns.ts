import type { Turn } from '@outdial/contracts';
import type { ClaimedCall } from '../ports/drive-store.ts';
import type { TurnSignals } from '../ports/timeline.ts';
import type { TurnMetrics } from '../turn-metrics.ts';
import { createTurnLog, type TurnLog } from './turn-log.ts';

export interface LegTurnsDeps {
  /** Announces what was said as soon as it is known. */
  readonly turnSignals?: TurnSignals;
  /** Receives the delays of conducted calls as they become known. */
  readonly onTurnMetrics?: (call: ClaimedCall, metrics: TurnMetrics) => void;
}

/** Per call. The delays of later turns are only counted. */
const MAX_TURN_METRICS = 500;

/** What is said on a leg, and how soon the agent answered. */
export class LegTurns {
  readonly log: TurnLog = createTurnLog();
  readonly #deps: LegTurnsDeps;
  readonly #call: ClaimedCall;
  readonly #metrics: TurnMetrics[] = [];

  constructor(deps: LegTurnsDeps, call: ClaimedCall) {
    this.#deps = deps;
    this.#call = call;
  }

  get metrics(): readonly TurnMetrics[] {
    return this.#metrics;
  }

  said(turn: Turn): void {
    if (!this.log.add(turn)) return;
    // All that is not stored yet, so that a follower needs no earlier announcement.
    this.#deps.turnSignals?.publish(this.#call.id, this.log.latest());
  }

  measured({ startMs, v2vMs, bargeInMs, delays }: TurnMetrics): void {
    const metrics = { startMs, v2vMs, bargeInMs, ...(delays && { delays }) };
    if (this.#metrics.length < MAX_TURN_METRICS) this.#metrics.push(metrics);
    this.#deps.onTurnMetrics?.(this.#call, metrics);
  }
}
