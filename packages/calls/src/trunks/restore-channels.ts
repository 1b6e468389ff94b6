import type { GateToken } from '../ports/gate.ts';
import type { DialAttemptStore, TrunkChannels } from '../ports/trunks.ts';

/**
 * Tells the gate which channels are taken, after it was rebuilt. DialAttempts under an earlier token are all committed or
 * refused by then, and there are none under this one yet: what Postgres says now is all there is.
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
