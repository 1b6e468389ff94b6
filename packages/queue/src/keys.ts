import type { ANALYSIS_QUEUE, CALL_QUEUE } from '@outdial/contracts';

/** A separate hash tag: BullMQ's scripts touch several keys at once, and none of the gate's. */
export const DEFAULT_QUEUE_PREFIX = '{outdial-queue}';

/** Both have jobs that name a call, and whose id is the call's. */
export type QueueName = typeof CALL_QUEUE | typeof ANALYSIS_QUEUE;

export function jobKey(prefix: string, queue: QueueName, jobId: string): string {
  return `${prefix}:${queue}:${jobId}`;
}

/** The pub/sub channel of end requests. Pub/sub ignores database numbers, so tests need a prefix. */
export function endChannel(prefix: string): string {
  return `${prefix}:end-requests`;
}

/** The pub/sub channel that announces changes by operators. */
export function operationsChannel(prefix: string): string {
  return `${prefix}:operations`;
}

/** The pub/sub channel of what is said in calls. */
export function turnChannel(prefix: string): string {
  return `${prefix}:turns`;
}

/** The pub/sub channel of changed calls. */
export function changeChannel(prefix: string): string {
  return `${prefix}:changes`;
}
