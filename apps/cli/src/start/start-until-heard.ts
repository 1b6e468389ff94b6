import { pause, type Clock } from '@outdial/kernel';
import type { ServiceEnd, ServiceProcess, StartedProcess } from './service-process.ts';

export interface StartUntilHeardOptions {
  readonly start: () => StartedProcess;
  /** Whether it listens where it is to be reached, ready or not. */
  readonly isListening: () => Promise<boolean>;
  /** How long a process may neither write a line nor listen. */
  readonly silenceLimitMs: number;
  readonly clock: Clock;
  /** Told of each process that was ended for its silence, before the next is started. */
  readonly onSilent: () => void;
}

const MAX_FRESH_STARTS = 2;
/** A process that was told to end before it was heard is either loading, and ends at once, or hangs. */
const TOLD_GRACE_MS = 5_000;
const LOOK_EVERY_MS = 100;

/**
 * Starts a service, and starts it afresh when it is not heard: one that hangs while its modules are loaded, as was seen
 * once under Node 20, never ends by itself.
 *
 * Killing it is safe: a worker takes calls and an API takes requests only after it listens, so nobody has been dialled
 * or answered by a process that is not heard. One that begins to listen between the last look and its end is one that
 * crashed. Once heard it is never ended here, however long it takes to be ready.
 */
export function startUntilHeard(options: StartUntilHeardOptions): ServiceProcess {
  const { start, isListening, silenceLimitMs, clock, onSilent } = options;
  let process = start();
  let toldAtMs = Number.POSITIVE_INFINITY;

  const staysSilent = async (limitMs: number): Promise<boolean> => {
    const ended = process.ended.then(() => 'ended' as const);
    const limitAtMs = clock.monotonicMs() + limitMs;
    while (!process.hasWritten() && !(await isListening())) {
      if (clock.monotonicMs() >= Math.min(limitAtMs, toldAtMs + TOLD_GRACE_MS)) return true;
      if ((await Promise.race([ended, pause(clock, LOOK_EVERY_MS)])) === 'ended') return false;
    }
    return false;
  };

  const lastEnd = async (): Promise<ServiceEnd> => {
    for (let freshStarts = 0; ; freshStarts += 1) {
      // The last one is left to itself: a machine that slow would otherwise never get to run it.
      const limitMs = freshStarts < MAX_FRESH_STARTS ? silenceLimitMs : Number.POSITIVE_INFINITY;
      if (!(await staysSilent(limitMs))) return process.ended;
      process.signal('SIGKILL');
      const end = await process.ended;
      if (toldAtMs < Number.POSITIVE_INFINITY) return end;
      onSilent();
      process = start();
    }
  };

  return {
    ended: lastEnd(),
    signal(signal) {
      toldAtMs = Math.min(toldAtMs, clock.monotonicMs());
      process.signal(signal);
    },
  };
}
