import type { ReconcileStore } from '../ports/reconcile-store.ts';
import type { TrunkDirectory, TrunkChannels } from '../ports/trunks.ts';
import { systemCapacity } from './choose-trunks.ts';

export interface LimitSystemDeps {
  readonly reconcileStore: Pick<ReconcileStore, 'systemLimits'>;
  readonly trunkDirectory: TrunkDirectory;
  readonly trunkChannels: Pick<TrunkChannels, 'limitSystem'>;
}

/**
 * Limits the system to as many calls as its trunks have channels, up or down. Repeat it every few seconds: after a rebuild
 * or a new setting only the setting applies, and until then excess calls wait in the queue.
 */
export async function limitSystem({ reconcileStore, trunkDirectory, trunkChannels }: LimitSystemDeps): Promise<void> {
  const [{ capacity, capacityVersion }, trunks] = await Promise.all([
    reconcileStore.systemLimits(),
    trunkDirectory.all(),
  ]);
  await trunkChannels.limitSystem({ capacity: systemCapacity(capacity, trunks), capacityVersion });
}
