import { createHmac, randomBytes } from 'node:crypto';
import type {
  DialRequest,
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
import type { SessionEnd } from '../sip/session/session.ts';
import type { UserAgent } from '../sip/user-agent.ts';
import { EvidenceExchange } from './evidence-exchange.ts';
import { OptionsRounds } from './options-rounds.ts';
import { answeredBefore, evidenceOf } from './session-evidence.ts';
import { TrunkAnnouncer } from './trunk-announcer.ts';
import { outlookOf } from './trunk-outlook.ts';
import { TrunkProbes } from './trunk-probes.ts';
import { TrunkRecord } from './trunk-record.ts';

export interface TrunkMonitorOptions {
  readonly userAgent: Pick<UserAgent, 'options'>;
  readonly trunks: TrunkDirectory;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From one round of OPTIONS to the next. Default 30 s. */
  readonly pingEveryMs?: number;
  /** Where workers add their evidence up. Without it this process judges by what it sees alone. */
  readonly evidence?: TrunkEvidenceStore;
  /** The same for all workers: settings and numbers are shared as digests under it. */
  readonly digestKey?: Buffer;
}

/** A call that was given to a trunk. `sinceMs`: when its attempt began. */
export interface MonitoredCall extends Pick<DialRequest, 'callId' | 'accountId' | 'calleeNumber'> {
  readonly sinceMs: number;
  /** A provisional response above 100 came back. */
  readonly rang: boolean;
}

/** Which trunks take calls, by what they say to OPTIONS and by what became of calls, here and in other workers. */
export interface TrunkMonitor extends TrunkHealth {
  /** How an attempt at this trunk ended. */
  report(trunk: Trunk, end: SessionEnd, call: MonitoredCall): void;
  /** A call of this account rings, or is answered, behind this trunk. */
  carried(trunk: Trunk, accountId: AccountId): void;
  /** Asks at once, and again and again until it is closed. */
  start(): void;
  /** Asks every enabled trunk that is to be asked. Resolves when all have answered or not. Never rejects. */
  ping(): Promise<void>;
  /** Gives evidence to other workers and takes theirs. Never rejects. */
  exchange(): Promise<void>;
  /** What is known of every enabled trunk now. Rejects while the trunks cannot be read. */
  conditions(): Promise<readonly TrunkCondition[]>;
  /** Whether any trunk takes calls. Rejects while the trunks cannot be read. */
  outlook(): Promise<TrunkAvailability>;
  /** No more OPTIONS are sent. */
  close(): void;
}

const PING_EVERY_MS = 30_000;
const TICK_MS = 1_000;
/** How often others are told of a trunk that is well. */
const CARRIED_EVERY_MS = 5_000;

export function createTrunkMonitor(options: TrunkMonitorOptions): TrunkMonitor {
  return new Monitor(options);
}

class Monitor implements TrunkMonitor {
  readonly #options: TrunkMonitorOptions;
  readonly #digestKey: Buffer;
  /** By name and settings: a call that is still up may be on a trunk whose settings were changed since. */
  readonly #records = new Map<string, TrunkRecord>();
  readonly #fingerprints = new WeakMap<Trunk, string>();
  readonly #toldCarriedAtMs = new Map<TrunkName, number>();
  readonly #exchange: EvidenceExchange | undefined;
  readonly #probes: TrunkProbes;
  readonly #rounds: OptionsRounds;
  readonly #announcer: TrunkAnnouncer;
  #ticking: Timer | undefined;
  #pinging: Timer | undefined;
  #closed = false;

  constructor(options: TrunkMonitorOptions) {
    const { evidence: store, clock, logger, userAgent } = options;
    this.#options = options;
    this.#digestKey = options.digestKey ?? randomBytes(32);
    this.#probes = new TrunkProbes({ clock, ...(store ? { store } : {}) });
    this.#announcer = new TrunkAnnouncer(logger);
    this.#rounds = new OptionsRounds({ userAgent, clock, onOutcome: (trunk, seen) => this.#see(trunk, seen) });
    this.#exchange =
      store && new EvidenceExchange({ store, clock, logger, onOthers: (...told) => this.#takeFromOthers(...told) });
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
    // Others are to know how the probe ended before they may try the trunk themselves.
    if (this.#probes.isFor(trunk.name, call.callId)) void this.exchange().then(() => this.#probes.end(call.callId));
  }

  carried(trunk: Trunk, accountId: AccountId): void {
    this.#see(trunk, answeredBefore(accountId, this.#options.clock.monotonicMs()));
  }

  async ping(): Promise<void> {
    const { trunks, logger } = this.#options;
    try {
      const asked = (await trunks.all()).filter((trunk) => trunk.enabled && trunk.healthCheck === 'options');
      await Promise.all(asked.map((trunk) => this.#rounds.ask(trunk)));
    } catch (error) {
      logger.warn({ err: error }, 'the trunks could not be asked');
    }
  }

  async exchange(): Promise<void> {
    await this.#exchange?.run();
  }

  async conditions(): Promise<readonly TrunkCondition[]> {
    const enabled = (await this.#options.trunks.all()).filter((trunk) => trunk.enabled);
    return enabled.map((trunk) => ({ trunk: trunk.name, ...conditionOf(this.#verdictOf(trunk)) }));
  }

  async outlook(): Promise<TrunkAvailability> {
    const enabled = (await this.#options.trunks.all()).filter((trunk) => trunk.enabled);
    return outlookOf(
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

  /** Time alone changes what is known of a trunk, and other workers do: both are looked at here. */
  async #tick(): Promise<void> {
    const { trunks, logger } = this.#options;
    try {
      const all = await trunks.all();
      const current = new Set(all.map((trunk) => this.#keyOf(trunk)));
      for (const key of this.#records.keys()) if (!current.has(key)) this.#records.delete(key);
      for (const trunk of all) this.#recordOf(trunk);
      await this.exchange();
      this.#announcer.forgetAllBut(all.filter(({ enabled }) => enabled).map(({ name }) => name));
      for (const trunk of all) if (trunk.enabled) this.#lookAt(trunk);
    } catch (error) {
      logger.warn({ err: error }, 'the trunks could not be looked at');
    }
  }

  #lookAt(trunk: Trunk): void {
    const verdict = this.#verdictOf(trunk);
    this.#announcer.announce(trunk.name, verdict);
    if (verdict.kind !== 'closed') this.#askSoon(trunk);
  }

  #askSoon(trunk: Trunk): void {
    if (!this.#closed && trunk.healthCheck === 'options') this.#rounds.askSoon(trunk);
  }

  /** Something that this process saw. */
  #see(trunk: Trunk, seen: TrunkEvidence): void {
    if (this.#closed) return;
    const nowMs = this.#options.clock.monotonicMs();
    const record = this.#recordOf(trunk);
    const before = record.verdictAt(nowMs).kind;
    record.add([seen], nowMs);
    const after = this.#verdictOf(trunk);
    this.#announcer.announce(trunk.name, after);
    if (this.#isNews(trunk.name, seen, before !== 'closed' || after.kind !== 'closed', nowMs)) {
      this.#exchange?.give(trunk.name, this.#fingerprint(trunk), seen);
      // Others are to know at once what changes the trunk's state; the rest has a second.
      if (before !== after.kind) void this.exchange();
    }
    // The neutral witness: an OPTIONS has no destination.
    if (seen.kind === 'failed' && seen.failure !== 'unauthorized') this.#askSoon(trunk);
    if (seen.kind === 'unanswered' && before === 'closed') this.#askSoon(trunk);
  }

  #isNews(trunk: TrunkName, { kind }: TrunkEvidence, isDoubted: boolean, nowMs: number): boolean {
    if (isDoubted || kind === 'failed' || kind === 'unanswered') return true;
    if (kind === 'answered' || nowMs - (this.#toldCarriedAtMs.get(trunk) ?? -Infinity) < CARRIED_EVERY_MS) return false;
    this.#toldCarriedAtMs.set(trunk, nowMs);
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
