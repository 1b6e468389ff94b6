import type { CallId } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import type { CallQueue } from '../../ports/call-queue.ts';
import { newCallId } from '../ids.ts';
import { stageForEach, type Stage } from '../stage-for-each.ts';

/** An empty queue. */
export interface CallQueueStage extends Stage {
  readonly queue: CallQueue;
  /** Adds a job that waits for its time. */
  readonly delay: (callId: CallId) => Promise<void>;
  /** Leaves a finished job behind, as a crash does. */
  readonly leaveFinished: (callId: CallId) => Promise<void>;
  /** The number of waiting jobs. */
  readonly waiting: () => Promise<number>;
}

/** What every `CallQueue` promises. */
export function describeCallQueue(name: string, open: () => Promise<CallQueueStage>): void {
  describe(`a call queue: ${name}`, () => {
    const stage = stageForEach(open);

    test('adding a call again adds no second job', async () => {
      const { queue, waiting } = stage();
      const callId = newCallId();
      await queue.add([callId]);
      await queue.add([callId, callId]);
      expect(await waiting()).toBe(1);
    });

    test('a call without a job is missing, one with a waiting or delayed job is not', async () => {
      const { queue, delay } = stage();
      const [waiting, delayed, absent] = [newCallId(), newCallId(), newCallId()];
      await queue.add([waiting]);
      await delay(delayed);
      expect(await queue.missing([waiting, absent, delayed])).toEqual([absent]);
    });

    test('adding a delayed call does not add a second job', async () => {
      const { queue, delay, waiting } = stage();
      const callId = newCallId();
      await delay(callId);
      await queue.add([callId]);
      expect(await waiting()).toBe(0);
    });

    test('a call with a leftover finished job is missing, and its next add takes effect', async () => {
      const { queue, leaveFinished, waiting } = stage();
      const callId = newCallId();
      await leaveFinished(callId);
      expect(await queue.missing([callId])).toEqual([callId]);
      await queue.add([callId]);
      expect(await queue.missing([callId])).toEqual([]);
      expect(await waiting()).toBe(1);
    });

    test('looking a call up adds no job', async () => {
      const { queue, waiting } = stage();
      const callId = newCallId();
      expect(await queue.missing([callId])).toEqual([callId]);
      expect(await queue.missing([callId])).toEqual([callId]);
      expect(await waiting()).toBe(0);
    });

    test('nothing to add, and nothing to look up, is answered', async () => {
      const { queue } = stage();
      await expect(queue.add([])).resolves.toBeUndefined();
      expect(await queue.missing([])).toEqual([]);
    });

    test('thousands of calls are added and looked up at once', async () => {
      const { queue, waiting } = stage();
      const callIds = Array.from({ length: 2_500 }, newCallId);
      await queue.add(callIds);
      expect(await waiting()).toBe(2_500);
      expect(await queue.missing(callIds)).toEqual([]);
    });
  });
}
