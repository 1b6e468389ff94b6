import type { CallId, TrunkName } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import type { SharedEvidence, TrunkEvidenceStore } from '../../ports/trunks.ts';

const KEPT_MS = 3_600_000;

interface Row {
  readonly evidence: SharedEvidence;
  readonly atMs: number;
}

/** The evidence that workers share, with the rules of Postgres. Every worker of a test uses the same one. */
export class MemoryTrunkEvidence implements TrunkEvidenceStore {
  readonly #clock: Clock;
  readonly #trunks: Set<TrunkName>;
  readonly #rows = new Map<string, Row>();
  readonly #probes = new Map<TrunkName, { readonly callId: CallId; readonly untilMs: number }>();

  constructor(clock: Clock, trunks: readonly TrunkName[]) {
    this.#clock = clock;
    this.#trunks = new Set(trunks);
  }

  addTrunk(trunk: TrunkName): void {
    this.#trunks.add(trunk);
  }

  /** With everything that is known about it. */
  removeTrunk(trunk: TrunkName): void {
    this.#trunks.delete(trunk);
    this.#probes.delete(trunk);
    for (const [id, { evidence }] of this.#rows) if (evidence.trunk === trunk) this.#rows.delete(id);
  }

  async add(added: readonly SharedEvidence[]): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    const lastCarried = this.#lastCarried();
    for (const [id, row] of this.#rows) if (row.atMs < nowMs - KEPT_MS && !lastCarried.has(row)) this.#rows.delete(id);
    for (const evidence of added) {
      if (!this.#trunks.has(evidence.trunk) || this.#rows.has(evidence.id)) continue;
      this.#rows.set(evidence.id, { evidence, atMs: nowMs - evidence.ageMs });
    }
  }

  async recent(withinMs: number): Promise<readonly SharedEvidence[]> {
    const nowMs = this.#clock.monotonicMs();
    const lastCarried = this.#lastCarried();
    return [...this.#rows.values()]
      .filter((row) => row.atMs > nowMs - withinMs || lastCarried.has(row))
      .map(({ evidence, atMs }) => ({ ...evidence, ageMs: nowMs - atMs }));
  }

  async takeProbe({ trunk, callId, forMs }: Parameters<TrunkEvidenceStore['takeProbe']>[0]): Promise<boolean> {
    if (!this.#trunks.has(trunk)) return false;
    const nowMs = this.#clock.monotonicMs();
    const probe = this.#probes.get(trunk);
    if (probe !== undefined && probe.untilMs >= nowMs && probe.callId !== callId) return false;
    this.#probes.set(trunk, { callId, untilMs: nowMs + forMs });
    return true;
  }

  async endProbe(callId: CallId): Promise<void> {
    for (const [trunk, probe] of this.#probes) if (probe.callId === callId) this.#probes.delete(trunk);
  }

  #lastCarried(): ReadonlySet<Row> {
    const last = new Map<TrunkName, Row>();
    for (const row of this.#rows.values()) {
      const { kind } = row.evidence.evidence;
      const known = last.get(row.evidence.trunk);
      if (kind === 'carried' && (known === undefined || row.atMs > known.atMs)) last.set(row.evidence.trunk, row);
    }
    return new Set(last.values());
  }
}
