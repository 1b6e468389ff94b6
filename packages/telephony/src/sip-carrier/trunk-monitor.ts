import type { Trunk, TrunkBook, TrunkCondition, TrunkHealth, TrunkState } from '@outdial/calls';
import type { TrunkName } from '@outdial/contracts';
import { unreachable, type Clock, type Logger, type Timer } from '@outdial/kernel';
import type { OptionsOutcome } from '../sip/agent/ping.ts';
import type { SessionEnd } from '../sip/session/session.ts';
import type { UserAgent } from '../sip/user-agent.ts';
import { trunkTarget } from './trunk-call.ts';

export interface TrunkMonitorOptions {
  readonly userAgent: Pick<UserAgent, 'options'>;
  readonly trunks: TrunkBook;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From one round of OPTIONS to the next. Default 30 s. */
  readonly pingEveryMs?: number;
}

/** Which trunks take calls, by what they say to OPTIONS and by what became of calls. */
export interface TrunkMonitor extends TrunkHealth {
  /** How an attempt at this trunk ended. */
  report(trunk: Trunk, end: SessionEnd): void;
  /** Asks at once, and again and again until it is closed. */
  start(): void;
  /** Asks every enabled trunk that is to be asked. Resolves when all have answered or not. Never rejects. */
  ping(): Promise<void>;
  /** What is known of every enabled trunk now. Rejects while the trunks cannot be read. */
  conditions(): Promise<readonly TrunkCondition[]>;
  /** No more OPTIONS are sent. */
  close(): void;
}

interface Ailment {
  readonly kind: Exclude<TrunkState, 'up'>;
  /** Infinity: until it answers OPTIONS. */
  readonly untilMs: number;
  readonly detail: string;
}

const PING_EVERY_MS = 30_000;
/** A 503 without Retry-After counts for its call alone (RFC 3261 section 21.5.4); one with it is believed for so long. */
const LONGEST_CONGESTION_MS = 300_000;
/** Somebody may have mended the account at the carrier's side, where we cannot see it. */
const UNAUTHORIZED_MS = 600_000;
/** A trunk that is not asked can show that it is back by a call alone. */
const UNASKED_MS = 60_000;

export function createTrunkMonitor(options: TrunkMonitorOptions): TrunkMonitor {
  return new OptionsMonitor(options);
}

class OptionsMonitor implements TrunkMonitor {
  readonly #options: TrunkMonitorOptions;
  /** Of trunks as they were set then: changed settings are a new trunk. */
  readonly #ailing = new Map<TrunkName, { readonly settings: string; readonly ailment: Ailment }>();
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: TrunkMonitorOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#pingOn();
  }

  isUp(trunk: Trunk): boolean {
    return this.#ailmentOf(trunk) === undefined;
  }

  report(trunk: Trunk, end: SessionEnd): void {
    const nowMs = this.#options.clock.monotonicMs();
    switch (end.outcome) {
      case 'unauthorized':
        return this.#mark(trunk, { kind: 'unauthorized', untilMs: nowMs + UNAUTHORIZED_MS, detail: end.detail });
      case 'unsent':
      case 'silent':
        return this.#markUnreachable(trunk, end.detail);
      case 'refused':
        if (end.sipCode === 503) this.#congest(trunk, end);
        return undefined;
      case 'completed':
      case 'no_answer':
        return this.#clear(trunk);
      case 'redirected':
      case 'cancelled':
      case 'not_dialled':
      case 'no_media':
      case 'lost':
        // Nothing that says anything about the trunk.
        return undefined;
      default:
        return unreachable(end.outcome);
    }
  }

  async ping(): Promise<void> {
    const { trunks, logger } = this.#options;
    try {
      const asked = (await trunks.all()).filter((trunk) => trunk.enabled && trunk.healthCheck === 'options');
      await Promise.all(asked.map((trunk) => this.#ask(trunk)));
    } catch (error) {
      logger.warn({ err: error }, 'the trunks could not be asked');
    }
  }

  async conditions(): Promise<readonly TrunkCondition[]> {
    const enabled = (await this.#options.trunks.all()).filter((trunk) => trunk.enabled);
    return enabled.map((trunk) => {
      const ailment = this.#ailmentOf(trunk);
      return { trunk: trunk.name, state: ailment?.kind ?? 'up', detail: ailment?.detail ?? null };
    });
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  async #pingOn(): Promise<void> {
    const { clock, pingEveryMs = PING_EVERY_MS } = this.#options;
    await this.ping();
    if (!this.#closed) this.#timer = clock.after(pingEveryMs, () => void this.#pingOn());
  }

  async #ask(trunk: Trunk): Promise<void> {
    let outcome: OptionsOutcome;
    try {
      outcome = await this.#options.userAgent.options(trunkTarget(trunk));
    } catch (error) {
      outcome = { kind: 'unsent', detail: error instanceof Error ? error.message : 'no SIP URI' };
    }
    if (this.#closed) return;
    switch (outcome.kind) {
      case 'answered':
        // Whoever answers is there; whether it takes our password, a call alone can tell.
        if (this.#ailmentOf(trunk)?.kind === 'unreachable') this.#clear(trunk);
        return;
      case 'silent':
        return this.#markUnreachable(trunk, 'no answer to OPTIONS');
      case 'unsent':
        return this.#markUnreachable(trunk, outcome.detail);
    }
  }

  #congest(trunk: Trunk, { retryAfterSeconds, detail }: SessionEnd): void {
    if (retryAfterSeconds === null) return;
    const forMs = Math.min(retryAfterSeconds * 1_000, LONGEST_CONGESTION_MS);
    this.#mark(trunk, { kind: 'congested', untilMs: this.#options.clock.monotonicMs() + forMs, detail });
  }

  #markUnreachable(trunk: Trunk, detail: string): void {
    // It will refuse our credentials still when it is back.
    if (this.#ailmentOf(trunk)?.kind === 'unauthorized') return;
    const untilMs = trunk.healthCheck === 'options' ? Infinity : this.#options.clock.monotonicMs() + UNASKED_MS;
    this.#mark(trunk, { kind: 'unreachable', untilMs, detail });
  }

  #ailmentOf(trunk: Trunk): Ailment | undefined {
    const known = this.#ailing.get(trunk.name);
    if (known === undefined || this.#options.clock.monotonicMs() >= known.ailment.untilMs) return undefined;
    return known.settings === JSON.stringify(trunk) ? known.ailment : undefined;
  }

  #mark(trunk: Trunk, ailment: Ailment): void {
    const known = this.#ailmentOf(trunk);
    this.#ailing.set(trunk.name, { settings: JSON.stringify(trunk), ailment });
    // Told once, however many calls find out.
    if (known?.kind === ailment.kind) return;
    const { logger } = this.#options;
    const facts = { trunk: trunk.name, reason: ailment.kind, detail: ailment.detail };
    // It mends by nobody but an operator.
    if (ailment.kind === 'unauthorized') logger.error(facts, 'the trunk refuses our credentials: correct them');
    else logger.warn(facts, 'the trunk takes no calls');
  }

  #clear(trunk: Trunk): void {
    if (this.#ailing.delete(trunk.name))
      this.#options.logger.info({ trunk: trunk.name }, 'the trunk takes calls again');
  }
}
