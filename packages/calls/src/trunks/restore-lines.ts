import type { GateToken } from '../ports/gate.ts';
import type { AttemptStore, TrunkLines } from '../ports/trunks.ts';

/**
 * Tells the gate which channels are taken, after it was rebuilt. Attempts under an earlier token are all committed or
 * refused by then, and there are none under this one yet: what Postgres says now is all there is.
 */
export async function restoreLines(
  deps: { readonly lines: Pick<TrunkLines, 'restore'>; readonly attempts: Pick<AttemptStore, 'takenChannels'> },
  token: GateToken,
): Promise<void> {
  await deps.lines.restore(token, await deps.attempts.takenChannels());
}
