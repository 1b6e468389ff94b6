import { rebuildGate, reconcileParts, type ReconcileDeps } from '@outdial/calls';
import { startLoop, type Loop } from './loop.ts';

/** A crash is mended within seconds; the walk costs a busy installation a few milliseconds a second. */
const RECONCILE_INTERVAL_MS = 5_000;

/** While the gate is closed no call is accepted. Asking whether it is open costs one script. */
const REBUILD_INTERVAL_MS = 1_000;

/** What every worker does beside driving calls. Any number of workers may do it at once. */
export function startLoops(deps: ReconcileDeps): readonly Loop[] {
  const { clock, logger } = deps;
  const start = (name: string, intervalMs: number, round: () => Promise<unknown>) =>
    startLoop({ name, intervalMs, round, clock, logger, random: Math.random });
  return [
    ...reconcileParts(deps).map(({ name, run }) => start(`reconcile ${name}`, RECONCILE_INTERVAL_MS, run)),
    start('rebuild', REBUILD_INTERVAL_MS, () => rebuildGate(deps)),
  ];
}
