import { CALL_QUEUE } from '@outdial/contracts';

/** A hash tag of its own: BullMQ's scripts touch several keys at once, and none of the gate's. */
export const DEFAULT_QUEUE_PREFIX = '{outdial-queue}';

export function jobKey(prefix: string, jobId: string): string {
  return `${prefix}:${CALL_QUEUE}:${jobId}`;
}

/** The channel over which requests to end a call are announced. Pub/sub knows no databases, so tests need a prefix. */
export function endChannel(prefix: string): string {
  return `${prefix}:end-requests`;
}

/** The channel over which it is announced that operators have changed how workers are to work. */
export function operationsChannel(prefix: string): string {
  return `${prefix}:operations`;
}

/** The channel over which changed calls are announced. */
export function changeChannel(prefix: string): string {
  return `${prefix}:changes`;
}
