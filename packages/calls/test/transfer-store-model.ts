import type { Micros } from '@outdial/contracts';
import type { FencedOutcome } from '../src/ports/drive-store.ts';
import type { LegId } from '../src/leg.ts';
import type { BeginLegOutcome, LegChange, TransferLeg, TransferStore } from '../src/ports/transfer-store.ts';
import { TIMELINE } from '../src/testing/gate/gate-fixture.ts';
import type { DriveStoreModel } from './drive-store-model.ts';

export interface StoredLeg {
  readonly leg: TransferLeg;
  holdMicros: Micros;
  readonly changes: LegChange[];
}

/** The second legs of the call of a `DriveStoreModel`, with the rules of Postgres, and outages on demand. */
export class TransferStoreModel implements TransferStore {
  /** Rejects every question. */
  away = false;
  refuses = false;
  /** Runs before each begin: a test can let another process act here. */
  beforeBegin: () => void = () => undefined;
  readonly stored = new Map<LegId, StoredLeg>();
  readonly #call: DriveStoreModel;

  constructor(call: DriveStoreModel) {
    this.#call = call;
  }

  async beginLeg({ leg, epoch, token }: Parameters<TransferStore['beginLeg']>[0]): Promise<BeginLegOutcome> {
    this.beforeBegin();
    this.#arrive();
    const { endRequested } = this.#call;
    if (epoch !== this.#call.epoch || this.#call.status === 'ended') return { kind: 'fenced' };
    if (this.stored.has(leg.legId)) return { kind: this.refuses ? 'refused' : 'begun', endRequested };
    if (token.generation !== this.#call.generation || token.walTimeline !== TIMELINE) return { kind: 'gate_stale' };
    if (this.refuses || endRequested) return { kind: 'refused', endRequested };
    this.stored.set(leg.legId, { leg, holdMicros: leg.holdMicros, changes: [] });
    return { kind: 'begun', endRequested };
  }

  async beginLegAttempt({ legId, epoch, dialog, carrier }: Parameters<TransferStore['beginLegAttempt']>[0]) {
    return this.saveLeg({ callId: legId, epoch, legId, change: { dialog: { carrier, dialog } } });
  }

  async saveLeg({ epoch, legId, change }: Parameters<TransferStore['saveLeg']>[0]): Promise<FencedOutcome> {
    this.#arrive();
    if (epoch !== this.#call.epoch || this.#call.status === 'ended') return { kind: 'fenced' };
    this.stored.get(legId)?.changes.push(change);
    return { kind: 'written', endRequested: this.#call.endRequested };
  }

  async enlargeLegHold({ epoch, legId, holdMicros, token }: Parameters<TransferStore['enlargeLegHold']>[0]) {
    this.#arrive();
    if (token.generation !== this.#call.generation) return { kind: 'gate_stale' as const };
    const stored = this.stored.get(legId);
    if (epoch !== this.#call.epoch || !stored) return { kind: 'fenced' as const };
    if (holdMicros > stored.holdMicros) stored.holdMicros = holdMicros;
    return { kind: 'enlarged' as const };
  }

  #arrive(): void {
    if (this.away) throw new Error('Postgres is away');
  }
}
