import type { CallId } from '@outdial/contracts';
import type {
  EndedCallRecording,
  RecordedCalls,
  RecordingInventory,
  RecordingOutbox,
  UploadOutcome,
} from '../src/index.ts';

async function* batched(callIds: Iterable<CallId>, size: number): AsyncGenerator<readonly CallId[]> {
  const all = [...callIds];
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

/** A machine's folder, a store and the calls, in memory. `log` has every operation, in order. */
export class RecordingWorld implements RecordedCalls {
  readonly log: string[] = [];
  readonly local = new Set<CallId>();
  readonly stored = new Set<CallId>();
  readonly endedCalls = new Map<CallId, EndedCallRecording>();
  readonly old = new Set<CallId>();
  batchSize = 2;
  outcomeOf: (callId: CallId) => Promise<UploadOutcome> = async () => 'stored';
  /** Every use of this operation fails. */
  failing: 'markStored' | 'remove' | null = null;

  readonly outbox: RecordingOutbox = {
    list: () => batched(this.local, this.batchSize),
    upload: async (callId) => {
      this.log.push(`upload ${callId}`);
      const outcome = await this.outcomeOf(callId);
      if (outcome === 'stored') this.stored.add(callId);
      return outcome;
    },
    discard: async (callId) => {
      this.log.push(`discard ${callId}`);
      this.local.delete(callId);
    },
  };

  readonly inventory: RecordingInventory = {
    list: () => batched(this.stored, this.batchSize),
    remove: async (callIds) => {
      if (this.failing === 'remove') throw new Error('the store is away');
      for (const callId of callIds) {
        this.log.push(`remove ${callId}`);
        this.stored.delete(callId);
      }
    },
  };

  /** A call whose recording is on this machine. */
  recorded(callId: CallId, ended: { readonly isRecorded: boolean } | null = { isRecorded: true }): void {
    this.local.add(callId);
    if (ended) this.endedCalls.set(callId, { callId, traceParent: null, ...ended });
  }

  async ended({ callIds }: Parameters<RecordedCalls['ended']>[0]): Promise<readonly EndedCallRecording[]> {
    return callIds.flatMap((callId) => this.endedCalls.get(callId) ?? []);
  }

  async markStored({ callId, key }: Parameters<RecordedCalls['markStored']>[0]): Promise<void> {
    if (this.failing === 'markStored') throw new Error('Postgres is away');
    this.log.push(`stored ${callId} as ${key}`);
  }

  async markMissing(callId: CallId): Promise<void> {
    this.log.push(`missing ${callId}`);
  }

  async expire({ callIds }: Parameters<RecordedCalls['expire']>[0]): Promise<readonly CallId[]> {
    const due = callIds.filter((callId) => this.old.has(callId));
    for (const callId of due) this.log.push(`expire ${callId}`);
    return due;
  }
}
