import type { ANALYSIS_QUEUE, CALL_QUEUE, CallId, EVALUATION_QUEUE, TRY_QUEUE, TryId } from '@outdial/contracts';

/** A separate hash tag: BullMQ's scripts touch several keys at once, and none of the gate's. */
export const DEFAULT_QUEUE_PREFIX = '{outdial-queue}';

/** All have jobs that name a call, a try or a run of an evaluation, and whose id is that one's. */
export type QueueName = typeof CALL_QUEUE | typeof ANALYSIS_QUEUE | typeof TRY_QUEUE | typeof EVALUATION_QUEUE;

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

/** The pub/sub channel that announces changed campaigns. */
export function campaignChannel(prefix: string): string {
  return `${prefix}:campaigns`;
}

/** The pub/sub channel of what is said in calls. */
export function turnChannel(prefix: string): string {
  return `${prefix}:turns`;
}

/** The pub/sub channel of instructions to live calls. */
export function instructionChannel(prefix: string): string {
  return `${prefix}:instructions`;
}

/** The pub/sub channel of what workers answer to the instructions of one sender. */
export function instructionAnswerChannel(prefix: string, sender: string): string {
  return `${prefix}:instruction-answers:${sender}`;
}

/** The pub/sub channel of a live call's sound. */
export function soundChannel(prefix: string, callId: CallId): string {
  return `${prefix}:sound:${callId}`;
}

/** The pub/sub channel of a try's sound, to its agent or to its person. */
export function trySoundChannel(prefix: string, tryId: TryId, to: 'agent' | 'person'): string {
  return `${prefix}:try-sound:${tryId}:${to}`;
}

/** Names the connection that has the sound of a try. */
export function trySoundPlace(prefix: string, tryId: TryId): string {
  return `${prefix}:try-sound:${tryId}:place`;
}

/** The pub/sub channel of changed calls. */
export function changeChannel(prefix: string): string {
  return `${prefix}:changes`;
}

/** The stream of what is sent to a try's worker, or of what the worker reports. */
export function tryStream(prefix: string, tryId: TryId, of: 'messages' | 'events'): string {
  return `${prefix}:try:${tryId}:${of}`;
}
