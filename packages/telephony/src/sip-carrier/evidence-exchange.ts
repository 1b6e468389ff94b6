import { randomUUID } from 'node:crypto';
import type { SharedEvidence, TrunkEvidence, TrunkEvidenceStore } from '@outdial/calls';
import type { TrunkName } from '@outdial/contracts';
import { unreachable, type Clock, type Logger } from '@outdial/kernel';

export interface EvidenceExchangeOptions {
  readonly store: TrunkEvidenceStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onOthers: (trunk: TrunkName, settings: string, evidence: TrunkEvidence) => void;
}

/** A worker that starts reads what the others have seen. */
const FIRST_READ_MS = 1_800_000;
/** A row is visible only once its transaction has committed, which may be after a later row's. */
const OVERLAP_MS = 5_000;
/** While Postgres is unavailable. */
const MAX_PENDING = 1_000;

interface Pending extends Omit<SharedEvidence, 'ageMs'> {
  readonly atMs: number;
}

/** Shares the evidence of this process with the other workers, and reads theirs. */
export class EvidenceExchange {
  readonly #options: EvidenceExchangeOptions;
  #pending: Pending[] = [];
  /** The known rows, by when they were read: the readings overlap. */
  readonly #known = new Map<string, number>();
  #readAtMs: number | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #isFailing = false;

  constructor(options: EvidenceExchangeOptions) {
    this.#options = options;
  }

  give(trunk: TrunkName, settings: string, seen: TrunkEvidence): void {
    const { atMs, own: _own, ...evidence } = seen;
    const sinceMs = 'sinceMs' in evidence ? evidence.sinceMs : atMs;
    const id = randomUUID();
    this.#known.set(id, this.#options.clock.monotonicMs());
    this.#pending.push({ id, trunk, settings, evidence: stripped(evidence), atMs, awaitedMs: atMs - sinceMs });
    if (this.#pending.length > MAX_PENDING) this.#pending.shift();
  }

  /** Writes pending evidence and reads once. Never rejects. All calls during a run share the next one. */
  run(): Promise<void> {
    if (this.#running === undefined) return this.#begin();
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#begin();
    });
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#running = this.#exchange().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #exchange(): Promise<void> {
    const { store, clock, logger } = this.#options;
    const given = this.#pending;
    this.#pending = [];
    try {
      const nowMs = clock.monotonicMs();
      await store.add(given.map(({ atMs, ...rest }) => ({ ...rest, ageMs: Math.max(0, nowMs - atMs) })));
    } catch (error) {
      this.#pending = [...given, ...this.#pending].slice(-MAX_PENDING);
      return this.#fails(error);
    }
    try {
      await this.#read();
      if (this.#isFailing)
        logger.info({ event: 'trunk.evidence_sharing_resumed' }, 'evidence about trunks is shared again');
      this.#isFailing = false;
    } catch (error) {
      this.#fails(error);
    }
  }

  async #read(): Promise<void> {
    const { store, clock, onOthers } = this.#options;
    const startedMs = clock.monotonicMs();
    const withinMs = this.#readAtMs === undefined ? FIRST_READ_MS : startedMs - this.#readAtMs + OVERLAP_MS;
    const rows = await store.recent(withinMs);
    this.#readAtMs = startedMs;
    const nowMs = clock.monotonicMs();
    for (const { id, trunk, settings, evidence, ageMs, awaitedMs } of rows) {
      const isNew = !this.#known.has(id);
      this.#known.set(id, nowMs);
      if (!isNew) continue;
      const atMs = nowMs - Math.max(0, ageMs);
      onOthers(trunk, settings, revived(evidence, atMs, atMs - awaitedMs));
    }
    for (const [id, metAtMs] of this.#known) if (nowMs - metAtMs > 4 * OVERLAP_MS) this.#known.delete(id);
  }

  #fails(error: unknown): void {
    if (!this.#isFailing)
      this.#options.logger.warn(
        { event: 'trunk.evidence_sharing_failed', err: error },
        'evidence about trunks is not shared',
      );
    this.#isFailing = true;
  }
}

function stripped(evidence: SharedEvidence['evidence'] & { readonly sinceMs?: number }): SharedEvidence['evidence'] {
  const { sinceMs: _sinceMs, ...rest } = evidence;
  return rest;
}

function revived(evidence: SharedEvidence['evidence'], atMs: number, sinceMs: number): TrunkEvidence {
  switch (evidence.kind) {
    case 'carried':
    case 'answered':
      return { ...evidence, atMs, own: false };
    case 'failed':
    case 'unanswered':
      return { ...evidence, atMs, sinceMs, own: false };
    default:
      return unreachable(evidence);
  }
}
