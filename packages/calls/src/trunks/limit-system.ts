import type { ReconcileStore } from '../ports/reconcile-store.ts';
import type { TrunkDirectory, TrunkChannels } from '../ports/trunks.ts';
import { systemCapacity } from './choose-trunks.ts';

export interface LimitSystemDeps {
  readonly reconcileStore: Pick<ReconcileStore, 'systemLimits'>;
  readonly trunkDirectory: TrunkDirectory;
  readonly trunkChannels: Pick<TrunkChannels, 'limitSystem'>;
}

/**
 * Lets the system accept no more calls than its trunks have channels, in order or not. To be repeated every few seconds: a rebuild
 * and a new setting begin with the setting alone, and until then a call that is too many waits in the queue.
 */
export async function limitSystem({ reconcileStore, trunkDirectory, trunkChannels }: LimitSystemDeps): Promise<void> {
  const [{ capacity, capacityVersion }, trunks] = await Promise.all([
    reconcileStore.systemLimits(),
    trunkDirectory.all(),
  ]);
  await trunkChannels.limitSystem({ capacity: systemCapacity(capacity, trunks), capacityVersion });
}
