import type { CallId } from '@outdial/contracts';
import { CallsWithLines } from '../lines/calls-with-lines.ts';
import { takeOverCalls, type TakeOverDeps } from '../reconcile/take-over-calls.ts';
import { driveCall, type DriveDeps, type DriveOutcome, type LiveCall, type LiveCalls } from './drive-call.ts';
import { createLeaseRenewer } from './lease-renewer.ts';

export type CallDriverDeps = Omit<DriveDeps, 'leases' | 'callsWithLines'> & TakeOverDeps;

/** Drives the calls of one process, and ends them when the process ends. */
export interface CallDriver {
  /** Drives the call, or ends it if its driver is gone. @see driveCall */
  drive(callId: CallId): Promise<DriveOutcome>;
  /** The end of the call was requested: its driver checks at once. Affects only calls that this process drives. */
  endRequested(callId: CallId): void;
  /** Calls that this process has claimed and not yet settled. */
  liveCalls(): number;
  /**
   * Resolves once no call is driven here or about to be. An orphan that this process ends is not waited for: its far end
   * may take half a minute to answer, and the next worker that takes it over continues.
   */
  idle(): Promise<void>;
  /** The process ends: hangs up every leg, now and from now on. Each call ends `worker_lost`, settled by this process. */
  hangUpAll(): void;
  /** Hands over the calls that have still not ended, so that another process need not wait for their leases to expire. */
  handOverAll(): Promise<void>;
}

export function createCallDriver(deps: CallDriverDeps): CallDriver {
  const leases = createLeaseRenewer(deps);
  const live = new Set<LiveCall>();
  let driving = 0;
  let ending = false;
  const idleWaiters: (() => void)[] = [];

  const liveCalls: LiveCalls = {
    add(call) {
      live.add(call);
      // Its claim was in flight when the others were hung up.
      if (ending) call.legDriver.hangUp('shutdown');
    },
    remove: (call) => void live.delete(call),
  };
  const driveDeps: DriveDeps = { ...deps, leases, callsWithLines: new CallsWithLines() };

  async function drive(callId: CallId): ReturnType<typeof driveCall> {
    driving += 1;
    try {
      return await driveCall(driveDeps, liveCalls, callId);
    } finally {
      driving -= 1;
      if (driving === 0) for (const wake of idleWaiters.splice(0)) wake();
    }
  }

  return {
    async drive(callId) {
      const outcome = await drive(callId);
      if (outcome.kind !== 'orphaned') return outcome;
      await takeOverCalls(deps, { limit: 1, callId });
      return { kind: 'done' };
    },
    endRequested: (callId) => leases.renewNow(callId),
    liveCalls: () => live.size,
    idle: () => (driving === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve))),
    hangUpAll() {
      ending = true;
      for (const { legDriver } of live) legDriver.hangUp('shutdown');
    },
    async handOverAll() {
      await Promise.allSettled([...live].map((call) => handOver(call)));
    },
  };

  async function handOver({ legDriver, lease, abandoned }: LiveCall): Promise<void> {
    // In this order: a renewal after the hand-over would take the call back.
    lease.drop();
    abandoned.abort();
    await deps.store.handOver(legDriver.fencingToken);
  }
}
