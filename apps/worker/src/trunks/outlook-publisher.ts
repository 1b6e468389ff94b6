import type { TrunkAvailability, TrunkAvailabilityStore } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';
import type { TrunkMonitor } from '@outdial/telephony';

export interface OutlookPublisherOptions {
  readonly health: Pick<TrunkMonitor, 'outlook'>;
  readonly outlooks: Pick<TrunkAvailabilityStore, 'save'>;
  readonly workerId: string;
  readonly clock: Clock;
}

/** An unchanged outlook is published often enough to count as fresh. */
const REPEAT_EVERY_MS = 5_000;

/** One round publishes the outlook of the trunks if it has changed, or was published too long ago. */
export function createOutlookPublisher({ health, outlooks, workerId, clock }: OutlookPublisherOptions) {
  let published:
    | { readonly kind: TrunkAvailability['kind']; readonly backAtMs: number | null; readonly atMs: number }
    | undefined;
  return async function publish(): Promise<void> {
    const outlook = await health.outlook();
    const atMs = clock.monotonicMs();
    const backAtMs = outlook.kind === 'out' && outlook.backInMs !== null ? Math.round(atMs + outlook.backInMs) : null;
    const isNews = published?.kind !== outlook.kind || Math.abs((published.backAtMs ?? 0) - (backAtMs ?? 0)) > 1_000;
    if (published && !isNews && atMs - published.atMs < REPEAT_EVERY_MS) return;
    await outlooks.save(workerId, outlook);
    published = { kind: outlook.kind, backAtMs, atMs };
  };
}
