import { createHmac, randomBytes } from 'node:crypto';
import type {
  Trunk,
  TrunkDirectory,
  TrunkCondition,
  TrunkEvidence,
  TrunkEvidenceStore,
  TrunkHealth,
  TrunkAvailability,
  TrunkBreakerState,
} from '@outdial/calls';
import type { AccountId, CallId, TrunkName } from '@outdial/contracts';
import { unreachable, type Clock, type Logger, type Timer } from '@outdial/kernel';
import type { SessionEnd, UserAgent } from '@outdial/sip';
import { EvidenceExchange } from './evidence-exchange.ts';
import { OptionsRounds } from './options-rounds.ts';
import { carriedEvidence, evidenceOf, type MonitoredCall } from './session-evidence.ts';
import { TrunkChangeLog } from './trunk-change-log.ts';
import { trunkAvailabilityOf } from './trunk-availability.ts';
import { TrunkProbes } from './trunk-probes.ts';
import { TrunkRecord } from './trunk-record.ts';

export interface TrunkMonitorOptions {
  readonly userAgent: Pick<UserAgent, 'options'>;
  readonly trunks: TrunkDirectory;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The interval of OPTIONS rounds. Default 30 s. */
  readonly pingEveryMs?: number;
  /** Where workers share their evidence. Without it, this process judges only by what it sees itself. */
  readonly evidence?: TrunkEvidenceStore;
  /** The same for all workers: settings and numbers are shared as digests with this key. */
  readonly digestKey?: Buffer;
}

/** Which trunks take calls, from their answers to OPTIONS and the results of calls, here and in other workers. */
export interface TrunkMonitor extends TrunkHealth {
  /** Reports how an attempt at this trunk ended. */
  report(trunk: Trunk, end: SessionEnd, call: MonitoredCall): void;
  /** A call of this account rings, or was answered, over this trunk. */
  carried(trunk: Trunk, accountId: AccountId): void;
  /** Starts the rounds: at once, then at intervals until `close`. */
  start(): void;
  /**
   * Sends OPTIONS to every enabled trunk that wants them. Resolves when all have answered or timed out. Never rejects.
   */
  ping(): Promise<void>;
  /** Shares evidence with the other workers. Never rejects. */
  exchange(): Promise<void>;
  /** The condition of every enabled trunk. Rejects while the trunks cannot be read. */
  conditions(): Promise<readonly TrunkCondition[]>;
  /** Whether any trunk takes calls. Rejects while the trunks cannot be read. */
  availability(): Promise<TrunkAvailability>;
  /** Sends no more OPTIONS. */
  close(): void;
}

const PING_EVERY_MS = 30_000;
const TICK_MS = 1_000;
/** How often a healthy trunk is reported to the other workers. */
const CARRIED_EVERY_MS = 5_000;

export function createTrunkMonitor(options: TrunkMonitorOptions): TrunkMonitor {
  return new Monitor(options);
}

class Monitor implements TrunkMonitor {
  readonly #options: TrunkMonitorOptions;
  readonly #digestKey: Buffer;
  /** By name and settings: a call that is still up may use a trunk whose settings have changed since. */
  readonly #records = new Map<string, TrunkRecord>();
  readonly #fingerprints = new WeakMap<Trunk, string>();
  readonly #reportedCarriedAtMs = new Map<TrunkName, number>();
  readonly #exchange: EvidenceExchange | undefined;
  readonly #probes: TrunkProbes;
  readonly #rounds: OptionsRounds;
  readonly #changeLog: TrunkChangeLog;
  #ticking: Timer | undefined;
  #pinging: Timer | undefined;
  #closed = false;

  constructor(options: TrunkMonitorOptions) {
    const { evidence: store, clock, logger, userAgent } = options;
    this.#options = options;
    this.#digestKey = options.digestKey ?? randomBytes(32);
    this.#probes = new TrunkProbes({ clock, ...(store ? { store } : {}) });
    this.#changeLog = new TrunkChangeLog(logger);
    this.#rounds = new OptionsRounds({ userAgent, clock, onOutcome: (trunk, seen) => this.#see(trunk, seen) });
    this.#exchange =
      store &&
      new EvidenceExchange({ store, clock, logger, onOthers: (...evidence) => this.#takeFromOthers(...evidence) });
  }

  start(): void {
    void this.#pingOn();
    void this.#tickOn();
  }

  isUp(trunk: Trunk, callId?: CallId): boolean {
    const { kind } = this.#verdictOf(trunk);
    if (kind === 'half_open') return callId !== undefined && this.#probes.isFor(trunk.name, callId);
    return kind !== 'open';
  }

  async tryProbe(trunk: Trunk, callId: CallId): Promise<boolean> {
    if (this.#verdictOf(trunk).kind !== 'half_open') return false;
    return this.#probes.take(trunk.name, callId);
  }

  report(trunk: Trunk, end: SessionEnd, call: MonitoredCall): void {
    const nowMs = this.#options.clock.monotonicMs();
    const destination = this.#digest(call.calleeNumber);
    for (const seen of evidenceOf({ trunk, end, call, destination, nowMs })) this.#see(trunk, seen);
    // The others need the probe's result before they may try the trunk themselves.
    if (this.#probes.isFor(trunk.name, call.callId)) void this.exchange().then(() => this.#probes.end(call.callId));
  }

  carried(trunk: Trunk, accountId: AccountId): void {
    this.#see(trunk, carriedEvidence(accountId, this.#options.clock.monotonicMs()));
  }

  async ping(): Promise<void> {
    const { trunks, logger } = this.#options;
    try {
      const asked = (await trunks.all()).filter((trunk) => trunk.enabled && trunk.healthCheck === 'options');
      await Promise.all(asked.map((trunk) => this.#rounds.ask(trunk)));
    } catch (error) {
      logger.warn({ event: 'trunk.options_failed', err: error }, 'OPTIONS could not be sent to the trunks');
    }
  }

  async exchange(): Promise<void> {
    await this.#exchange?.run();
  }

  async conditions(): Promise<readonly TrunkCondition[]> {
    const enabled = (await this.#options.trunks.all()).filter((trunk) => trunk.enabled);
    return enabled.map((trunk) => ({ trunk: trunk.name, ...conditionOf(this.#verdictOf(trunk)) }));
  }

  async availability(): Promise<TrunkAvailability> {
    const enabled = (await this.#options.trunks.all()).filter((trunk) => trunk.enabled);
    return trunkAvailabilityOf(
      enabled.map((trunk) => this.#verdictOf(trunk)),
      this.#options.clock.monotonicMs(),
    );
  }

  close(): void {
    this.#closed = true;
    this.#ticking?.cancel();
    this.#pinging?.cancel();
  }

  async #pingOn(): Promise<void> {
    const { clock, pingEveryMs = PING_EVERY_MS } = this.#options;
    void this.ping();
    if (!this.#closed) this.#pinging = clock.after(pingEveryMs, () => void this.#pingOn());
  }

  async #tickOn(): Promise<void> {
    await this.#tick();
    if (!this.#closed) this.#ticking = this.#options.clock.after(TICK_MS, () => void this.#tickOn());
  }

  /** Time alone changes a trunk's verdict, and so do other workers: both are checked here. */
  async #tick(): Promise<void> {
    const { trunks, logger } = this.#options;
    try {
      const all = await trunks.all();
      const current = new Set(all.map((trunk) => this.#keyOf(trunk)));
      for (const key of this.#records.keys()) if (!current.has(key)) this.#records.delete(key);
      for (const trunk of all) this.#recordOf(trunk);
      await this.exchange();
      this.#changeLog.forgetAllBut(all.filter(({ enabled }) => enabled).map(({ name }) => name));
      for (const trunk of all) if (trunk.enabled) this.#lookAt(trunk);
    } catch (error) {
      logger.warn({ event: 'trunk.check_failed', err: error }, 'the trunks could not be checked');
    }
  }

  #lookAt(trunk: Trunk): void {
    const verdict = this.#verdictOf(trunk);
    this.#changeLog.announce(trunk.name, verdict);
    if (verdict.kind !== 'closed') this.#askSoon(trunk);
  }

  #askSoon(trunk: Trunk): void {
    if (!this.#closed && trunk.healthCheck === 'options') this.#rounds.askSoon(trunk);
  }

  /** Records something that this process saw. */
  #see(trunk: Trunk, seen: TrunkEvidence): void {
    if (this.#closed) return;
    const nowMs = this.#options.clock.monotonicMs();
    const record = this.#recordOf(trunk);
    const before = record.verdictAt(nowMs).kind;
    record.add([seen], nowMs);
    const after = this.#verdictOf(trunk);
    this.#changeLog.announce(trunk.name, after);
    if (this.#isNews(trunk.name, seen, before !== 'closed' || after.kind !== 'closed', nowMs)) {
      this.#exchange?.give(trunk.name, this.#fingerprint(trunk), seen);
      // The others need a change of the trunk's state at once; the rest can wait a second.
      if (before !== after.kind) void this.exchange();
    }
    // OPTIONS is a neutral witness: it has no destination.
    if (seen.kind === 'failed' && seen.failure !== 'unauthorized') this.#askSoon(trunk);
    if (seen.kind === 'unanswered' && before === 'closed') this.#askSoon(trunk);
  }

  #isNews(trunk: TrunkName, { kind }: TrunkEvidence, isDoubted: boolean, nowMs: number): boolean {
    if (isDoubted || kind === 'failed' || kind === 'unanswered') return true;
    if (kind === 'answered' || nowMs - (this.#reportedCarriedAtMs.get(trunk) ?? -Infinity) < CARRIED_EVERY_MS)
      return false;
    this.#reportedCarriedAtMs.set(trunk, nowMs);
    return true;
  }

  #takeFromOthers(name: TrunkName, settings: string, seen: TrunkEvidence): void {
    this.#records.get(`${name} ${settings}`)?.add([seen], this.#options.clock.monotonicMs());
  }

  #recordOf(trunk: Trunk): TrunkRecord {
    const key = this.#keyOf(trunk);
    const record = this.#records.get(key) ?? new TrunkRecord();
    this.#records.set(key, record);
    return record;
  }

  #verdictOf(trunk: Trunk): TrunkBreakerState {
    const record = this.#records.get(this.#keyOf(trunk));
    return record?.verdictAt(this.#options.clock.monotonicMs()) ?? { kind: 'closed' };
  }

  #keyOf(trunk: Trunk): string {
    return `${trunk.name} ${this.#fingerprint(trunk)}`;
  }

  #fingerprint(trunk: Trunk): string {
    let fingerprint = this.#fingerprints.get(trunk);
    if (fingerprint === undefined) {
      fingerprint = this.#digest(JSON.stringify(trunk));
      this.#fingerprints.set(trunk, fingerprint);
    }
    return fingerprint;
  }

  #digest(text: string): string {
    return createHmac('sha256', this.#digestKey).update(text).digest('base64url').slice(0, 22);
  }
}

function conditionOf(verdict: TrunkBreakerState): Pick<TrunkCondition, 'state' | 'detail'> {
  switch (verdict.kind) {
    case 'closed':
    case 'suspected':
      return { state: 'up', detail: null };
    case 'open':
      return { state: verdict.outage.problem, detail: verdict.outage.detail };
    case 'half_open':
      return { state: verdict.outage.problem, detail: `${verdict.outage.detail}; tried with one call at a time` };
    default:
      return unreachable(verdict);
  }
}
