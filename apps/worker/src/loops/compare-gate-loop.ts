import { compareGate, createDriftWatch, type CompareGateDeps } from '@outdial/calls';
import type { Clock, Logger } from '@outdial/kernel';
import type { Drift } from '@outdial/metrics';
import type { Duties } from '@outdial/persistence';
import { startLoop, type Loop } from './loop.ts';

export interface CompareGateLoopOptions extends CompareGateDeps {
  readonly duties: Duties;
  readonly show: (drift: Drift) => void;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** While the gate is closed. */
const NOTHING: Drift = new Map();

/** A worker that is gone leaves its duty for this many rounds. */
const ROUNDS_HELD = 3;

/** Compares the gate with Postgres, in one worker for all of them. */
export function startCompareGate(options: CompareGateLoopOptions): Loop {
  const { duties, show, intervalMs, clock, logger } = options;
  const watch = createDriftWatch();
  const round = async (stopping: AbortSignal) => {
    if (!(await duties.take('compare_gate', ROUNDS_HELD * intervalMs))) {
      watch.compared(null);
      return show('not_mine');
    }
    const differences = await compareGate(options, stopping);
    if (stopping.aborted) return;
    const drift = watch.compared(differences);
    show(differences === null ? NOTHING : drift);
  };
  const loop = startLoop({
    name: 'compare gate',
    intervalMs,
    round: (stopping) =>
      round(stopping).catch((error: unknown) => {
        show('failed');
        throw error;
      }),
    clock,
    logger,
    random: Math.random,
  });
  return {
    async stop() {
      await loop.stop();
      // The next worker need not wait until it expires.
      await duties.leave('compare_gate').catch(() => undefined);
    },
  };
}
