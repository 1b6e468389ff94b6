import type { Clock } from '@outdial/kernel';

/** Nobody waits any longer. What was asked for may still happen. */
export class DeadlineExceeded extends Error {
  constructor() {
    super('there was no answer in time');
    this.name = 'DeadlineExceeded';
  }
}

/**
 * The outcome of `work`, if it comes by `deadlineMs` of the monotonic clock; otherwise a `DeadlineExceeded`.
 * An answer that comes later is dropped, whatever it is.
 */
export function withDeadline<Value>(clock: Clock, deadlineMs: number, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(deadlineMs - clock.monotonicMs(), () => {
      // In a busy process the answer may have arrived and wait to be read: sockets have their turn before this does.
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
