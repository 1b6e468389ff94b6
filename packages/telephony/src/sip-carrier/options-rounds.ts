import type { Trunk, TrunkEvidence } from '@outdial/calls';
import { unreachable, type Clock } from '@outdial/kernel';
import type { OptionsOutcome, UserAgent } from '@outdial/sip';
import { trunkTarget } from './trunk-call.ts';

export interface OptionsRoundsOptions {
  readonly userAgent: Pick<UserAgent, 'options'>;
  readonly clock: Clock;
  readonly onOutcome: (trunk: Trunk, seen: TrunkEvidence) => void;
}

/** A doubted trunk is checked at every tick of the monitor, not for each call that doubts it. */
const OPTIONS_RETRY_MS = 1_000;
const OVERLOADED = 503;

/** Sends OPTIONS (RFC 3261 section 11): one at a time to each trunk. */
export class OptionsRounds {
  readonly #options: OptionsRoundsOptions;
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #sentAtMs = new Map<string, number>();

  constructor(options: OptionsRoundsOptions) {
    this.#options = options;
  }

  /** Resolves once the trunk has answered or timed out. Never rejects. */
  ask(trunk: Trunk): Promise<void> {
    const key = JSON.stringify(trunk);
    const asking = this.#inFlight.get(key) ?? this.#ask(trunk).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, asking);
    return asking;
  }

  /** Sends OPTIONS unless one is pending, or was sent a moment ago. */
  askSoon(trunk: Trunk): void {
    const sentAtMs = this.#sentAtMs.get(trunk.name) ?? -Infinity;
    if (this.#options.clock.monotonicMs() - sentAtMs >= OPTIONS_RETRY_MS) void this.ask(trunk);
  }

  async #ask(trunk: Trunk): Promise<void> {
    const { userAgent, clock, onOutcome } = this.#options;
    const sinceMs = clock.monotonicMs();
    this.#sentAtMs.set(trunk.name, sinceMs);
    let outcome: OptionsOutcome;
    try {
      outcome = await userAgent.options(trunkTarget(trunk));
    } catch (error) {
      outcome = { kind: 'unsent', detail: error instanceof Error ? error.message : 'not a SIP URI' };
    }
    onOutcome(trunk, evidenceOfOptions(outcome, sinceMs, clock.monotonicMs()));
  }
}

function evidenceOfOptions(outcome: OptionsOutcome, sinceMs: number, atMs: number): TrunkEvidence {
  const unanswered = { kind: 'unanswered', sinceMs, atMs, own: true, forMs: null } as const;
  switch (outcome.kind) {
    case 'answered':
      if (outcome.sipCode !== OVERLOADED) return { kind: 'answered', atMs, own: true };
      // An answer describes the moment in which it came.
      return { ...unanswered, sinceMs: atMs, state: 'congested', detail: 'OPTIONS was answered with 503' };
    case 'silent':
      return { ...unanswered, state: 'unreachable', detail: 'no answer to OPTIONS' };
    case 'unsent':
      return { ...unanswered, sinceMs: atMs, state: 'unreachable', detail: outcome.detail };
    default:
      return unreachable(outcome);
  }
}
