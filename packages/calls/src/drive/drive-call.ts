import { pause, unreachable, type Logger } from '@outdial/kernel';
import type { CallId, TrunkName } from '@outdial/contracts';
import type { ClaimedCall, Settlement } from '../ports/drive-store.ts';
import type { DialMarks } from '../ports/gate.ts';
import type { Observer } from '../ports/observer.ts';
import { endQueuedCalls, type EndQueuedDeps } from '../settle/end-queued-calls.ts';
import type { LineDeps } from '../lines/acquire-lines.ts';
import type { CallsWithLines } from '../lines/calls-with-lines.ts';
import { claimCall } from './claim-call.ts';
import type { LegDriverDeps } from './leg-driver-input.ts';
import { LegDriver } from './leg-driver.ts';
import { keepOptOut } from './keep-opt-out.ts';
import { monotonicNowMs } from '../settle/call-times.ts';
import { LEASE_TIMES, type Instant } from '../lease.ts';
import type { TrackedLease, LeaseRenewer } from './lease-renewer.ts';
import { settleCall } from '../settle/settle-call.ts';
import { settlementOf, unknownSettlement } from '../settle/settlement.ts';

export interface DriveDeps extends LegDriverDeps, EndQueuedDeps {
  readonly store: LegDriverDeps['store'];
  readonly gate: LegDriverDeps['gate'];
  readonly workerId: string;
  readonly marks: DialMarks;
  readonly leases: LeaseRenewer;
  /** Without it this worker drives scripted calls alone. */
  readonly lines?: LineDeps;
  readonly callsWithLines: CallsWithLines;
  readonly observer?: Observer;
}

/** A call that this process has claimed and not yet settled. */
export interface LiveCall {
  readonly legDriver: LegDriver;
  readonly lease: TrackedLease;
  /** Aborts when the process can wait no longer: nothing more is settled, and the lease is left to expire. */
  readonly abandoned: AbortController;
}

export interface LiveCalls {
  add(call: LiveCall): void;
  remove(call: LiveCall): void;
}

/** `later`: another worker owns the call or must drive it, it lacks a channel or a line, or dialing is paused; try again after that time. */
export type DriveOutcome = { readonly kind: 'done' } | { readonly kind: 'later'; readonly afterMs: number };

const DONE: DriveOutcome = { kind: 'done' };

/** While dialing is paused the call stays in the queue. An operator who resumes dialing expects dials within a second. */
const PAUSED: DriveOutcome = { kind: 'later', afterMs: 1_000 };

/**
 * Drives one call from the queue to its end: claim, dial, converse, settle. May run any number of times for the same
 * call, here and elsewhere: the claim lets one through.
 *
 * Rejects when the outcome of the claim is unknown. If the claim was stored after all, the call is taken over once that
 * lease expires; it is never dialed.
 *
 * `orphaned`: its driver is gone; the call must be taken over and never dialed again.
 */
export async function driveCall(
  deps: DriveDeps,
  live: LiveCalls,
  callId: CallId,
): Promise<DriveOutcome | { readonly kind: 'orphaned' }> {
  const claim = await claimCall(deps, callId);
  switch (claim.kind) {
    case 'claimed': {
      const { call, sentAt: claimSentAt, acquiredTrunk } = claim;
      await driveClaimed(deps, live, { call, claimSentAt, acquiredTrunk });
      return DONE;
    }
    case 'later':
      return claim;
    case 'leased':
      return { kind: 'later', afterMs: claim.forMs };
    case 'lease_over':
      return { kind: 'orphaned' };
    case 'paused':
      return PAUSED;
    case 'refused':
      await endQueuedCalls(deps, [callId], claim);
      return DONE;
    case 'unknown':
    case 'ended':
      return DONE;
    default:
      return unreachable(claim);
  }
}

interface Claimed {
  readonly call: ClaimedCall;
  readonly claimSentAt: Instant;
  readonly acquiredTrunk: TrunkName | null;
}

async function driveClaimed(deps: DriveDeps, live: LiveCalls, claimed: Claimed): Promise<void> {
  const { call, claimSentAt } = claimed;
  const { id: callId, accountId, requestId, calleeNumber } = call;
  const logger = deps.logger.child({ callId, accountId, requestId });
  const legDriver = new LegDriver(deps, { ...claimed, logger });
  let settling = false;
  const lease = deps.leases.track({
    fencingToken: legDriver.fencingToken,
    since: claimSentAt,
    usage: () => legDriver.usageReport(),
    turns: legDriver.turns,
    // A renewal during our own settlement finds the call ended; the settlement itself learns who owns it.
    onFenced: () => !settling && legDriver.fence(),
    onEndRequested: () => legDriver.hangUp('end_requested'),
    onLost: () => legDriver.hangUp('lease_lost'),
  });
  const entry: LiveCall = { legDriver, lease, abandoned: new AbortController() };
  legDriver.fenced.addEventListener('abort', () => deps.observer?.leaseLost('fenced'));
  live.add(entry);
  logger.info({ event: 'call.dial_started', calleeNumber }, 'call dialing');
  try {
    const settlement = (await isFirstToDial(deps.marks, callId, logger))
      ? await dial(deps, call, legDriver, lease)
      : await waitOutEarlierLease(deps, entry);
    if (settlement && !legDriver.fenced.aborted) {
      settling = true;
      const outcome = await settleCall(deps, settlement, logger, entry.abandoned.signal);
      if (outcome === 'fenced') legDriver.fence();
    }
    const { optOut, fenced } = legDriver;
    if (optOut && fenced.aborted) await keepOptOut(deps, optOut, logger, entry.abandoned.signal);
  } catch (error) {
    // A defect must not leave a leg up that no worker owns.
    legDriver.fence();
    throw error;
  } finally {
    lease.drop();
    live.remove(entry);
  }
}

async function isFirstToDial(marks: DialMarks, callId: CallId, logger: Logger): Promise<boolean> {
  try {
    if (await marks.mark(callId)) return true;
    logger.warn({ event: 'call.dial_mark_taken' }, 'not dialed: another worker may have dialed the call already');
  } catch (error) {
    logger.warn({ event: 'call.dial_mark_failed', err: error }, 'not dialed: the dial mark could not be set');
  }
  return false;
}

async function dial(
  { observer }: Pick<DriveDeps, 'observer'>,
  call: ClaimedCall,
  legDriver: LegDriver,
  lease: TrackedLease,
): Promise<Settlement> {
  const report = await legDriver.run(lease);
  if (report.hangUp?.cause === 'lease_lost') observer?.leaseLost('not_renewed');
  const { fencingToken, times } = legDriver;
  return settlementOf({
    call,
    fencingToken,
    times,
    report,
    leaseRenewedAtMs: Math.floor(lease.renewedAt().monotonicMs),
  });
}

/**
 * A claim that Postgres forgot, for example in a failover, may have been dialed by its worker. That worker hangs up
 * before its lease expires; until then the call must not be settled.
 */
async function waitOutEarlierLease(deps: DriveDeps, { legDriver, abandoned }: LiveCall): Promise<Settlement | null> {
  const interrupted = AbortSignal.any([legDriver.fenced, abandoned.signal]);
  await pause(deps.clock, (deps.leaseTimes ?? LEASE_TIMES).leaseMs, interrupted);
  return interrupted.aborted
    ? null
    : unknownSettlement(legDriver.fencingToken, legDriver.times.wallMsOf(monotonicNowMs(deps.clock)));
}
