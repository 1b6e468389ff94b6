import { pause, unreachable } from '@outdial/kernel';
import { restoreLines } from '@outdial/calls';
import type { TryJob } from '@outdial/persistence';
import { heldAs, type PlaceDeps } from './ports.ts';

/** `none`: no line was free in time, or a store was away. `fenced`: the try is over. */
export type PlaceOutcome = 'taken' | 'insufficient_funds' | 'none' | 'fenced';

type Attempt = PlaceOutcome | { readonly againAfterMs: number };

const AGAIN_MS = 250;

/** The hold of a try in the gate, and the lines of its model: all or none, like a call's. */
export async function takePlace(deps: PlaceDeps, job: TryJob, stopping: AbortSignal): Promise<PlaceOutcome> {
  const untilMs = deps.clock.monotonicMs() + deps.timings.placeMs;
  for (;;) {
    const attempt = await tryToTake(deps, job).catch((): Attempt => ({ againAfterMs: AGAIN_MS }));
    if (typeof attempt === 'string') return attempt;
    const leftMs = untilMs - deps.clock.monotonicMs();
    if (leftMs <= 0 || stopping.aborted) return 'none';
    await pause(deps.clock, Math.min(attempt.againAfterMs, leftMs));
  }
}

async function tryToTake(deps: PlaceDeps, job: TryJob): Promise<Attempt> {
  const { tryId, accountId, reservationId, holdMicros } = job;
  const callId = heldAs(tryId);
  const held = await deps.funds.holdFunds({ callId, accountId, reservationId, holdMicros });
  switch (held.kind) {
    case 'held':
      return takeLines(deps, job);
    case 'insufficient_funds':
      return 'insufficient_funds';
    case 'account_unknown': {
      const [found] = await deps.limits.limitsOf([accountId]);
      if (found) await deps.gate.loadAccount(held.token, found);
      return { againAfterMs: 0 };
    }
    case 'closed':
    case 'duplicate':
      return { againAfterMs: AGAIN_MS };
    default:
      return unreachable(held);
  }
}

async function takeLines(deps: PlaceDeps, { tryId, lease }: TryJob): Promise<Attempt> {
  const lines = await deps.store.linesOf(tryId);
  const acquired = await deps.lineGate.acquire({ callId: heldAs(tryId), trunks: [], lines });
  switch (acquired.kind) {
    case 'acquired': {
      const { token, lines: names } = acquired;
      const written = await deps.store.writeLines({ tryId, lease, lines: names, token });
      if (written === 'gate_stale') {
        await deps.gate.close(token);
        return { againAfterMs: AGAIN_MS };
      }
      return written === 'written' ? 'taken' : 'fenced';
    }
    case 'stale':
      await restoreLines(deps, acquired.token);
      return { againAfterMs: 0 };
    case 'wait':
      return { againAfterMs: Math.max(1, acquired.forMs) };
    case 'closed':
    case 'not_held':
      return { againAfterMs: AGAIN_MS };
    default:
      return unreachable(acquired);
  }
}
