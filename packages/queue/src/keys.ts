import { CALL_QUEUE } from '@outdial/contracts';

/** A separate hash tag: BullMQ's scripts touch several keys at once, and none of the gate's. */
export const DEFAULT_QUEUE_PREFIX = '{outdial-queue}';

export function jobKey(prefix: string, jobId: string): string {
  return `${prefix}:${CALL_QUEUE}:${jobId}`;
}

/** The pub/sub channel of end requests. Pub/sub ignores database numbers, so tests need a prefix. */
export function endChannel(prefix: string): string {
  return `${prefix}:end-requests`;
}

/** The pub/sub channel that announces changes by operators. */
export function operationsChannel(prefix: string): string {
  return `${prefix}:operations`;
}

/** The pub/sub channel of changed calls. */
export function changeChannel(prefix: string): string {
  return `${prefix}:changes`;
}
