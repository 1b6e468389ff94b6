import type { GateToken } from '../ports/gate.ts';
import type { LineGate, LineStore } from '../ports/lines.ts';

/**
 * Loads the taken lines into the gate after a rebuild. Claims under an earlier token have all been committed or rejected
 * by then, and there are none under this token yet: what Postgres has now is complete.
 */
export async function restoreLines(
  deps: { readonly lineGate: Pick<LineGate, 'restore'>; readonly lineStore: Pick<LineStore, 'takenLines'> },
  token: GateToken,
): Promise<void> {
  await deps.lineGate.restore(token, await deps.lineStore.takenLines());
}
