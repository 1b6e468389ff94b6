import { rebuildGate, reconcileParts, type ReconcileDeps } from '@outdial/calls';
import { startLoop, type Loop } from './loop.ts';

/** While the gate is closed no call is accepted. Checking whether it is open costs one script. */
const REBUILD_INTERVAL_MS = 1_000;

export interface LoopsDeps extends ReconcileDeps {
  readonly reconcileEveryMs: number;
}

/** The background work of every worker. Any number of workers may do it at once. */
export function startLoops(deps: LoopsDeps): readonly Loop[] {
  const { clock, logger, reconcileEveryMs } = deps;
  const start = (name: string, intervalMs: number, round: () => Promise<unknown>) =>
    startLoop({ name, intervalMs, round, clock, logger, random: Math.random });
  return [
    ...reconcileParts(deps).map(({ name, run }) => start(`reconcile ${name}`, reconcileEveryMs, run)),
    start('rebuild', REBUILD_INTERVAL_MS, () => rebuildGate(deps)),
  ];
}
