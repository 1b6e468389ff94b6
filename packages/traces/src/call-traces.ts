import type { Carrier, Conversations, DriveStore, TransferStore } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';
import { OpenCalls } from './open-calls.ts';
import type { Traces } from './open-traces.ts';
import { SecondLegs } from './second-legs.ts';
import { traceCarrier } from './trace-carrier.ts';
import { CommittingRows, traceCommits } from './trace-commits.ts';
import { traceConversations } from './trace-conversations.ts';
import { traceDriveStore } from './trace-drive-store.ts';

/** The spans of the calls that a worker drives. Each method wraps a port, whose outcomes stay as they are. */
export interface CallTraces {
  driveStore(store: DriveStore): DriveStore;
  carrier(carrier: Carrier): Carrier;
  conversations(conversations: Conversations): Conversations;
  transferStore(store: TransferStore): TransferStore;
  readonly observeCommit: ReturnType<typeof traceCommits>;
  /** The trace of a sampled call that this worker has or had, for its log lines. */
  readonly traceIdOf: (callId: string) => string | undefined;
}

export function createCallTraces(traces: Traces, clock: Clock): CallTraces {
  const { tracer } = traces;
  const calls = new OpenCalls(tracer);
  const rows = new CommittingRows();
  const secondLegs = new SecondLegs(calls);
  return {
    driveStore: (store) => traceDriveStore(store, { traces, calls, rows }),
    carrier: (carrier) => traceCarrier(carrier, { calls, secondLegs, clock }),
    conversations: (conversations) => traceConversations(conversations, calls),
    transferStore: (store) => secondLegs.store(store),
    observeCommit: traceCommits(tracer, rows),
    traceIdOf: (callId) => calls.traceIdOf(callId),
  };
}
