import { describeCallQueue } from './describe-call-queue.ts';
import { MemoryCallQueue } from './memory-call-queue.ts';

describeCallQueue('in memory', async () => {
  const queue = new MemoryCallQueue();
  return {
    queue,
    delay: async (callId) => void queue.jobs.set(callId, 'delayed'),
    leaveFinished: async (callId) => void queue.jobs.set(callId, 'finished'),
    waiting: async () => [...queue.jobs.values()].filter((state) => state === 'waiting').length,
    close: async () => undefined,
  };
});
