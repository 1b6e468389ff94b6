import type { TrunkAvailability, TrunkAvailabilityStore } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';
import type { TrunkMonitor } from '@outdial/telephony';

export interface AvailabilityPublisherOptions {
  readonly health: Pick<TrunkMonitor, 'availability'>;
  readonly availabilityStore: Pick<TrunkAvailabilityStore, 'save'>;
  readonly workerId: string;
  readonly clock: Clock;
}

/** An unchanged availability is published often enough to count as fresh. */
const REPEAT_EVERY_MS = 5_000;

/** One round publishes the availability of the trunks if it has changed, or was published too long ago. */
export function createAvailabilityPublisher({
  health,
  availabilityStore,
  workerId,
  clock,
}: AvailabilityPublisherOptions) {
  let published:
    | { readonly kind: TrunkAvailability['kind']; readonly backAtMs: number | null; readonly atMs: number }
    | undefined;
  return async function publish(): Promise<void> {
    const availability = await health.availability();
    const atMs = clock.monotonicMs();
    const backAtMs =
      availability.kind === 'out' && availability.backInMs !== null ? Math.round(atMs + availability.backInMs) : null;
    const isNews =
      published?.kind !== availability.kind || Math.abs((published.backAtMs ?? 0) - (backAtMs ?? 0)) > 1_000;
    if (published && !isNews && atMs - published.atMs < REPEAT_EVERY_MS) return;
    await availabilityStore.save(workerId, availability);
    published = { kind: availability.kind, backAtMs, atMs };
  };
}
