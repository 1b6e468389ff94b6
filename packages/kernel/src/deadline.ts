import type { Clock } from './clock.ts';

/** The deadline passed before the outcome came. The work may still complete. */
export class DeadlineExceeded extends Error {
  constructor() {
    super('no answer within the deadline');
    this.name = 'DeadlineExceeded';
  }
}

/**
 * The outcome of `work`, if it comes by `deadlineMs` of the monotonic clock; otherwise rejects with `DeadlineExceeded`.
 * A later outcome is ignored.
 */
export function withDeadline<Value>(clock: Clock, deadlineMs: number, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(deadlineMs - clock.monotonicMs(), () => {
      // In a busy process the answer may have arrived without being read: sockets are processed before setImmediate.
      setImmediate(() => reject(new DeadlineExceeded()));
    });
    work.then(
      (value) => {
        timer.cancel();
        return resolve(value);
      },
      (error: unknown) => {
        timer.cancel();
        reject(error);
      },
    );
  });
}
