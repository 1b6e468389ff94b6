import type { ChangedCall } from '@outdial/contracts';
import type { Changes } from './call-list.ts';

/** Records the changes that arrive while a page loads. The page may predate a change that arrives before it. */
export class ChangeRecorder {
  readonly #recordings = new Set<Map<string, ChangedCall>>();

  record(call: ChangedCall): void {
    for (const recording of this.#recordings) recording.set(call.id, call);
  }

  /** Runs `read` and returns its value with the changes from before its request until after its response. */
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
