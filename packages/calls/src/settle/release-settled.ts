import type { Logger } from '@outdial/kernel';
import type { Gate, ReleaseInput } from '../ports/gate.ts';

/** How many releases are in flight at once: enough to fill one round trip to Redis. */
const MAX_CONCURRENT_RELEASES = 100;

export interface ReleaseDeps {
  readonly gate: Pick<Gate, 'release'>;
  readonly logger: Logger;
}

/** Frees a settled call's funds and slot, best effort: the walk over the gate's holds frees what fails here. */
async function releaseSettled(deps: ReleaseDeps, release: ReleaseInput): Promise<void> {
  try {
    await deps.gate.release(release);
  } catch (error) {
    deps.logger.warn(
      { event: 'call.release_failed', err: error, callId: release.callId, accountId: release.accountId },
      'release left to reconcile',
    );
  }
}

export async function releaseEach(deps: ReleaseDeps, releases: readonly ReleaseInput[]): Promise<void> {
  for (let start = 0; start < releases.length; start += MAX_CONCURRENT_RELEASES) {
    const batch = releases.slice(start, start + MAX_CONCURRENT_RELEASES);
    await Promise.all(batch.map((release) => releaseSettled(deps, release)));
  }
}
