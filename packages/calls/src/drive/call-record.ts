import type { AnsweredBy } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { LegDialog } from '../ports/carrier.ts';
import type { ConversationNote, DriveStore, FencedOutcome, FencingToken } from '../ports/drive-store.ts';
import { monotonicNowMs, type CallTimes } from '../settle/call-times.ts';
import type { HeardOptOut } from './keep-opt-out.ts';
import { createFencedWrites, type FencedWrite } from './fenced-writes.ts';

/** Writes the progress of a call, in the order in which it happened. Moments are of the monotonic clock. */
export interface CallRecord {
  dialog(carrier: string, dialog: LegDialog): void;
  /** Resolves once the write has been tried, after all earlier ones; never, if another worker owns the call. */
  inOrder(write: FencedWrite): Promise<void>;
  /** After all earlier ones; repeated until it succeeds, or the call ends. */
  write(write: FencedWrite): void;
  /** Resolves once all earlier writes are stored; never, if another worker owns the call. */
  recorded(): Promise<void>;
  ringing(sipCode: number): void;
  inProgress(atMs: number): void;
  /** `decidedAtMs`: when it was decided, or the time of our hang-up if that came first. */
  answeredBy(answeredBy: AnsweredBy, decidedAtMs: number): void;
  /** The callee wants no more calls. */
  optOut(heard: HeardOptOut): void;
  /** An event of the conversation, for the timeline. */
  note(note: ConversationNote, atMs: number): void;
  /** Resolves once every write has been tried; the settlement comes after it. */
  finish(): Promise<void>;
  stop(): void;
}

export interface CallRecordInput {
  readonly store: DriveStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fencingToken: FencingToken;
  readonly times: CallTimes;
  readonly onFenced: () => void;
  readonly onEndRequested: () => void;
}

const NOTHING_TO_WRITE: FencedOutcome = { kind: 'written', endRequested: false };

export function createCallRecord(input: CallRecordInput): CallRecord {
  const { store, clock, logger, fencingToken, times } = input;
  const writes = createFencedWrites(input);
  const now = () => times.wallMsOf(monotonicNowMs(clock));
  const inOrder = (write: FencedWrite): Promise<void> =>
    new Promise((resolve) => {
      writes.push(async () => {
        const outcome = await write();
        resolve();
        return outcome;
      });
    });
  return {
    dialog(carrier, dialog) {
      writes.push(() => store.saveDialog({ ...fencingToken, carrier, dialog }));
    },
    inOrder,
    write: (write) => writes.push(write),
    recorded: () => inOrder(async () => NOTHING_TO_WRITE),
    ringing(sipCode) {
      const atMs = now();
      logger.info({ event: 'call.ringing', sipCode }, 'call ringing');
      writes.push(() => store.advance({ ...fencingToken, to: 'ringing', atMs, sipCode }));
    },
    inProgress(answeredAtMs) {
      const atMs = times.wallMsOf(answeredAtMs);
      logger.info({ event: 'call.answered' }, 'call in progress');
      writes.push(() => store.advance({ ...fencingToken, to: 'in_progress', atMs }));
    },
    answeredBy(answeredBy, decidedAtMs) {
      const atMs = times.wallMsOf(decidedAtMs);
      logger.info({ event: 'call.callee_classified', answeredBy }, 'callee classified');
      writes.push(() => store.saveAnsweredBy({ ...fencingToken, answeredBy, atMs }));
    },
    optOut(heard) {
      logger.info({ event: 'call.opted_out', evidence: heard.evidence }, 'callee opted out');
      writes.push(() => store.optOut(heard));
    },
    note(note, happenedAtMs) {
      const atMs = times.wallMsOf(happenedAtMs);
      writes.push(() => store.saveEvent({ ...fencingToken, ...note, atMs }));
    },
    finish: () => writes.finish(),
    stop: () => writes.stop(),
  };
}
