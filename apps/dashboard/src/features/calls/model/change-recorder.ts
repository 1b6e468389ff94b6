import type { ChangedCall } from '@outdial/contracts';
import type { Changes } from './call-list.ts';

/**
 * Keeps the changes that are told while pages are on their way: a page shows calls as they were when it was read, which
 * may be before a change that has arrived first.
 */
export class ChangeRecorder {
  readonly #recordings = new Set<Map<string, ChangedCall>>();

  record(call: ChangedCall): void {
    for (const recording of this.#recordings) recording.set(call.id, call);
  }

  /** Reads something, and gives what changed from before the request to after the answer. */
  async during<T>(read: () => Promise<T>): Promise<{ readonly value: T; readonly changes: Changes }> {
    const changes = new Map<string, ChangedCall>();
    this.#recordings.add(changes);
    try {
      return { value: await read(), changes };
    } finally {
      this.#recordings.delete(changes);
    }
  }
}
