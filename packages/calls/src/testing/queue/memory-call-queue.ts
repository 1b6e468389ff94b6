import type { CallId } from '@outdial/contracts';
import type { CallQueue } from '../../ports/call-queue.ts';

type JobState = 'waiting' | 'delayed' | 'finished';

/** A call queue whose jobs no worker takes. */
export class MemoryCallQueue implements CallQueue {
  readonly jobs = new Map<CallId, JobState>();
  /** Every command fails, without an effect. */
  away = false;

  async add(callIds: readonly CallId[]): Promise<void> {
    this.#arrive();
    for (const callId of callIds) if (!this.jobs.has(callId)) this.jobs.set(callId, 'waiting');
  }

  async missing(callIds: readonly CallId[]): Promise<readonly CallId[]> {
    this.#arrive();
    for (const callId of callIds) if (this.jobs.get(callId) === 'finished') this.jobs.delete(callId);
    return callIds.filter((callId) => !this.jobs.has(callId));
  }

  #arrive(): void {
    if (this.away) throw new Error('Redis is away');
  }
}
