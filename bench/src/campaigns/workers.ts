import type { Subprocess } from '../processes.ts';
import type { StageStores } from '../stage.ts';
import { SIMULATED_CALLS, startWorker } from '../worker.ts';

export interface WorkerOptions {
  /** How many times faster than real the simulated network is. */
  readonly speed: number;
  readonly concurrency: number;
}

/** A worker that admits calls of campaigns and drives them through the simulated network, without sound. */
export function startCampaignWorker(stores: StageStores, { speed, concurrency }: WorkerOptions): Promise<Subprocess> {
  return startWorker(stores, {
    ...SIMULATED_CALLS,
    OUTDIAL_SIMULATED_SPEED: String(speed),
    OUTDIAL_WORKER_CONCURRENCY: String(concurrency),
  });
}
