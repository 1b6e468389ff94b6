import { pause, unreachable, type Clock } from '@outdial/kernel';
import type { LineLimits } from '../line.ts';
import type { ClaimedCall } from '../ports/drive-store.ts';
import type { Gate } from '../ports/gate.ts';
import type { LineDeps } from './acquire-lines.ts';
import { restoreLines } from './restore-lines.ts';

export interface TakeLineDeps extends Pick<LineDeps, 'lineGate' | 'lineStore'> {
  readonly gate: Pick<Gate, 'close'>;
  readonly clock: Clock;
}

/** `none`: the line is full or closed, or no store said otherwise in time. `fenced`: another worker owns the call. */
export type TakenLine = 'taken' | 'none' | 'fenced';

/** A callee waits in silence for as long as this takes. */
const GIVE_UP_AFTER_MS = 1_500;
const RETRY_MS = 250;

/**
 * In a call: takes a line for a fallback, first in the gate, then in Postgres under the gate's token, so that no rebuild
 * loses it. Use the credential only after `taken`. Rejects when a store is away.
 */
export async function takeLine(
  deps: TakeLineDeps,
  call: Pick<ClaimedCall, 'id' | 'reservationId' | 'epoch'>,
  line: LineLimits,
): Promise<TakenLine> {
  const askedAtMs = deps.clock.monotonicMs();
  for (;;) {
    const step = await tryOnce(deps, call, line);
    if (typeof step === 'string') return step;
    if (deps.clock.monotonicMs() + step.againAfterMs - askedAtMs > GIVE_UP_AFTER_MS) return 'none';
    await pause(deps.clock, step.againAfterMs);
  }
}

async function tryOnce(
  deps: TakeLineDeps,
  { id: callId, reservationId, epoch }: Pick<ClaimedCall, 'id' | 'reservationId' | 'epoch'>,
  line: LineLimits,
): Promise<TakenLine | { readonly againAfterMs: number }> {
  const taken = await deps.lineGate.takeLine({ callId, reservationId, line });
  switch (taken.kind) {
    case 'closed':
    case 'not_held':
      // A gate that does not hold an open call is about to be rebuilt, which restores the hold.
      return { againAfterMs: RETRY_MS };
    case 'stale':
      await restoreLines(deps, taken.token);
      // At least a millisecond: a gate that is rebuilt again and again must not keep us here.
      return { againAfterMs: 1 };
    case 'line_closed':
    case 'full':
      return 'none';
    case 'wait':
      return { againAfterMs: taken.forMs };
    case 'taken':
      break;
    default:
      return unreachable(taken);
  }
  const written = await deps.lineStore.appendLine({ callId, epoch, line: line.name, token: taken.token });
  switch (written.kind) {
    case 'written':
      return 'taken';
    case 'fenced':
      return 'fenced';
    case 'gate_stale':
      await deps.gate.close(taken.token);
      return { againAfterMs: RETRY_MS };
    default:
      return unreachable(written);
  }
}
