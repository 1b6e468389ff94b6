import type { GateToken } from '../ports/gate.ts';
import type { DialAttemptStore, TrunkChannels } from '../ports/trunks.ts';

/**
 * Loads the taken channels into the gate after a rebuild. Attempts under an earlier token have all been committed or
 * rejected by then, and there are none under this token yet: what Postgres has now is complete.
 */
export async function restoreChannels(
  deps: {
    readonly trunkChannels: Pick<TrunkChannels, 'restore'>;
    readonly attempts: Pick<DialAttemptStore, 'takenChannels'>;
  },
  token: GateToken,
): Promise<void> {
  await deps.trunkChannels.restore(token, await deps.attempts.takenChannels());
}
