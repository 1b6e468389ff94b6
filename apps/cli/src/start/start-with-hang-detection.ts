import { pause, type Clock } from '@outdial/kernel';
import type { ServiceEnd, ServiceProcess, StartedProcess } from './service-process.ts';

export interface StartWithHangDetectionOptions {
  readonly start: () => StartedProcess;
  /** Whether it listens at its address, ready or not. */
  readonly isListening: () => Promise<boolean>;
  /** How long a process may stay silent: no output and no open port. */
  readonly silenceLimitMs: number;
  readonly clock: Clock;
  /** Called for each process that was killed for its silence, before the next one starts. */
  readonly onSilent: () => void;
}

const MAX_FRESH_STARTS = 2;
/** A silent process that is asked to end is either still loading, and ends at once, or hangs. */
const STOP_GRACE_MS = 5_000;
const LOOK_EVERY_MS = 100;

/**
 * Starts a service, and restarts it when it stays silent: a process that hangs while it loads its modules never ends
 * by itself, which Node 20 has been seen to do.
 *
 * Killing a silent process is safe: workers take calls and the API takes requests only after they listen, so it has
 * not dialed a call or answered a request. If it begins to listen between the last check and its end, that equals a
 * crash. Once a process has been heard it is never killed here, however long it takes to be ready.
 */
export function startWithHangDetection(options: StartWithHangDetectionOptions): ServiceProcess {
  const { start, isListening, silenceLimitMs, clock, onSilent } = options;
  let process = start();
  let toldAtMs = Number.POSITIVE_INFINITY;

  const staysSilent = async (limitMs: number): Promise<boolean> => {
    const ended = process.ended.then(() => 'ended' as const);
    const limitAtMs = clock.monotonicMs() + limitMs;
    while (!process.hasWritten() && !(await isListening())) {
      if (clock.monotonicMs() >= Math.min(limitAtMs, toldAtMs + STOP_GRACE_MS)) return true;
      if ((await Promise.race([ended, pause(clock, LOOK_EVERY_MS)])) === 'ended') return false;
    }
    return false;
  };

  const lastEnd = async (): Promise<ServiceEnd> => {
    for (let freshStarts = 0; ; freshStarts += 1) {
      // The last process has no limit: otherwise the service would never start on a very slow machine.
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
