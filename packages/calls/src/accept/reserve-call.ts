import { withDeadline, type Clock } from '@outdial/kernel';
import type { Gate, GateToken, ReleaseInput, ReserveInput, ReserveOutcome } from '../ports/gate.ts';
import type { ReconcileStore } from '../ports/reconcile-store.ts';

export interface ReserveCallDeps {
  readonly clock: Clock;
  readonly gate: Pick<Gate, 'reserve' | 'release' | 'loadAccount'>;
  readonly limits: Pick<ReconcileStore, 'limitsOf'>;
  /** Starts a rebuild of the gate in the background, unless one is running. */
  readonly requestRebuild: () => void;
}

export type ReserveCallOutcome =
  | Exclude<ReserveOutcome, { readonly kind: 'closed' | 'account_unknown' }>
  /** The gate is closed or did not answer in time; a possible reservation is released. */
  | { readonly kind: 'unavailable'; readonly cause: unknown };

/** The gate reserves nothing until it has been rebuilt from Postgres. */
export class GateClosed extends Error {
  constructor() {
    super('the gate is closed');
    this.name = 'GateClosed';
  }
}

/** A rebuild between loading and reserving forgets the account. After a second one in a row, the client retries. */
const MAX_LOADS = 2;

/** Reserves funds and a slot for one request, loading its account into the gate where it is unknown. */
export function createReserveCall(deps: ReserveCallDeps) {
  const loads = new Map<string, Promise<'loaded' | 'closed'>>();

  async function load(token: GateToken, accountId: ReserveInput['accountId']): Promise<'loaded' | 'closed'> {
    const [limits] = await deps.limits.limitsOf([accountId]);
    if (limits === undefined) throw new Error('the account has no limits in the database');
    return deps.gate.loadAccount(token, limits);
  }

  /** One reading for all requests of an unknown account: a burst must not ask Postgres once per request. */
  function loadOnce(token: GateToken, accountId: ReserveInput['accountId']): Promise<'loaded' | 'closed'> {
    const key = `${accountId}/${token.generation}/${token.walTimeline}`;
    const inFlight = loads.get(key);
    if (inFlight) return inFlight;
    const loading = load(token, accountId).finally(() => loads.delete(key));
    loads.set(key, loading);
    return loading;
  }

  async function tryReserve(input: ReserveInput, deadlineMs: number): Promise<ReserveCallOutcome> {
    for (let loaded = 0; loaded <= MAX_LOADS; loaded += 1) {
      const outcome = await withDeadline(deps.clock, deadlineMs, deps.gate.reserve(input));
      if (outcome.kind === 'closed') break;
      if (outcome.kind !== 'account_unknown') return outcome;
      if ((await withDeadline(deps.clock, deadlineMs, loadOnce(outcome.token, input.accountId))) === 'closed') break;
    }
    deps.requestRebuild();
    return { kind: 'unavailable', cause: new GateClosed() };
  }

  return async function reserveCall(input: ReserveInput, deadlineMs: number): Promise<ReserveCallOutcome> {
    try {
      return await tryReserve(input, deadlineMs);
    } catch (cause) {
      // The command may still run. Its release uses the same connection and so runs after it.
      releaseReservation(deps.gate, input);
      return { kind: 'unavailable', cause };
    }
  };
}

/** Best effort, not awaited: what a release does not reach, the reconcile loop releases. */
export function releaseReservation(
  gate: Pick<Gate, 'release'>,
  { callId, accountId, reservationId }: ReleaseInput,
): void {
  gate.release({ callId, accountId, reservationId }).catch(() => undefined);
}
