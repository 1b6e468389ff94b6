import type { CallId, Driver, TrunkName } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';

import type { ClaimLines } from '../ports/drive-store.ts';
import type { LineDirectory, LineGate, LineStore } from '../ports/lines.ts';
import { CLOSED_GATE_MS, trunksFor } from '../trunks/acquire-channel.ts';
import type { TrunkDeps } from '../trunks/dial-attempts.ts';
import { restoreChannels } from '../trunks/restore-channels.ts';
import { restoreLines } from './restore-lines.ts';

/** What driving calls that models conduct needs in addition. */
export interface LineDeps {
  readonly lineGate: LineGate;
  readonly lineDirectory: LineDirectory;
  readonly lineStore: LineStore;
  /** The drivers that this worker knows. Without lines a worker knows `scripted` alone. */
  readonly drivers: readonly Driver[];
}

export type LinesOutcome =
  /** The call may be claimed. `lines` is null if the gate does not hold it: the claim finds out why. */
  | { readonly kind: 'acquired'; readonly trunk: TrunkName | null; readonly lines: ClaimLines | null }
  | { readonly kind: 'later'; readonly afterMs: number };

/**
 * Before the claim of a call that needs lines: it waits in the queue, unclaimed, until it has a channel and all its lines.
 * Rejects when a store is away.
 */
export async function acquireLines(
  lineDeps: LineDeps,
  trunkDeps: TrunkDeps | undefined,
  callId: CallId,
): Promise<LinesOutcome> {
  const choice = trunkDeps ? await trunksFor(trunkDeps, callId) : ({ kind: 'refused' } as const);
  if (choice.kind === 'later') return choice;
  const lines = await lineDeps.lineDirectory.linesOf(callId);
  const trunks = choice.kind === 'trunks' ? choice.trunks : [];
  const outcome = await lineDeps.lineGate.acquire({ callId, trunks, lines });
  switch (outcome.kind) {
    case 'acquired':
      return { kind: 'acquired', trunk: outcome.trunk, lines: { names: outcome.lines, token: outcome.token } };
    case 'not_held':
      return { kind: 'acquired', trunk: null, lines: null };
    case 'closed':
      return { kind: 'later', afterMs: CLOSED_GATE_MS };
    case 'stale':
      if (trunkDeps) await restoreChannels(trunkDeps, outcome.token);
      await restoreLines(lineDeps, outcome.token);
      return { kind: 'later', afterMs: 0 };
    case 'wait':
      return { kind: 'later', afterMs: outcome.forMs };
    default:
      return unreachable(outcome);
  }
}
