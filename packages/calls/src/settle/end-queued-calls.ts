import type { CallId } from '@outdial/contracts';
import type { DriveStore, Refused } from '../ports/drive-store.ts';
import { releaseEach, type ReleaseDeps } from './release-settled.ts';

export interface EndQueuedDeps extends ReleaseDeps {
  readonly store: Pick<DriveStore, 'endQueued'>;
}

/** Ends unclaimed calls at no cost. A call that has been claimed since is left to its driver. */
export async function endQueuedCalls(
  deps: EndQueuedDeps,
  callIds: readonly CallId[],
  { reason, givesBack }: Pick<Refused, 'reason' | 'givesBack'>,
): Promise<void> {
  const releases = await deps.store.endQueued({ callIds, reason, ...(givesBack && { givesBack }) });
  for (const { callId, accountId } of releases)
    deps.logger.info({ event: 'call.ended', callId, accountId, reason }, 'call ended');
  await releaseEach(deps, releases);
}
