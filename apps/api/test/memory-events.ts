import { randomUUID } from 'node:crypto';
import type { ChangeReader, ChangeReading, QueuedCall } from '@outdial/calls';
import { agentIdSchema, callIdSchema, e164Schema, micros, type AccountId, type CallId } from '@outdial/contracts';

function callOf(accountId: AccountId, id: CallId): QueuedCall {
  return {
    id,
    accountId,
    agentId: agentIdSchema.parse(accountId),
    agentVersion: 1,
    callerNumber: e164Schema.parse('+12025550100'),
    calleeNumber: e164Schema.parse('+12025550143'),
    currency: 'USD',
    rate: {
      prefix: '1',
      connectionFeeMicros: micros(0),
      pricePerMinuteMicros: micros(12_000),
      initialIncrementSeconds: 60,
      incrementSeconds: 60,
    },
    holdMicros: micros(0),
    limits: { maxDurationSeconds: 60, ringTimeoutSeconds: 30 },
    conducted: null,
    usage: [],
    schedule: null,
    variables: {},
    metadata: {},
    reviewNote: null,
    webhookUrl: null,
    createdAtMs: 0,
    status: 'queued',
    expiresAtMs: 0,
  };
}

/** Events in memory, some of them uncommitted. It can be made unavailable, or reset to what a replica knows. */
export class MemoryEvents implements ChangeReader {
  readonly asked: { readonly accountIds: readonly AccountId[]; readonly afterId: bigint | null }[] = [];
  isAway = false;
  history = '00000001';
  #lastId = 0n;
  readonly #calls = new Map<CallId, QueuedCall>();
  readonly #committed = new Map<CallId, bigint>();
  readonly #open = new Set<bigint>();

  newCall(accountId: AccountId): CallId {
    const id = callIdSchema.parse(randomUUID());
    this.#calls.set(id, callOf(accountId, id));
    return id;
  }

  /** @returns a function that commits it. */
  begin(callId: CallId): () => void {
    this.#lastId += 1n;
    const id = this.#lastId;
    this.#open.add(id);
    return () => {
      this.#open.delete(id);
      this.#committed.set(callId, id);
    };
  }

  add(callId: CallId): void {
    this.begin(callId)();
  }

  lastOf(callId: CallId): bigint | undefined {
    return this.#committed.get(callId);
  }

  skip(count: number): void {
    this.#lastId += BigInt(count);
  }

  async read(input: { readonly accountIds: readonly AccountId[]; readonly afterId: bigint | null }) {
    this.asked.push(input);
    if (this.isAway) throw new Error('Postgres is away');
    const { accountIds, afterId } = input;
    const grown = [...this.#committed].filter(([, id]) => afterId !== null && id > afterId);
    const changes = grown.flatMap(([callId, eventId]) => {
      const call = this.#calls.get(callId);
      return call && accountIds.includes(call.accountId) ? [{ call, eventId }] : [];
    });
    const oldestOpen = [...this.#open].reduce((least, id) => (id < least ? id : least), this.#lastId + 1n);
    const reading: ChangeReading = {
      history: this.history,
      lastId: this.#lastId,
      commitHorizon: oldestOpen - 1n,
      changes: changes.length > 2_000 ? null : changes,
    };
    return reading;
  }
}
