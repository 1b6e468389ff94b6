import type { Logger } from '@outdial/kernel';
import { createCallIntake } from '../lifecycle/call-intake.ts';
import type { WorkerCalls } from './calls.ts';

const idle = async () => undefined;

/**
 * A worker without the role `calls`: it opens no port for SIP and no thread, needs no Redis to start, and operators do
 * not see it among the workers that they drain.
 */
export function withoutCalls(logger: Logger): WorkerCalls {
  const consumer = { start: () => undefined, stopTaking: async () => undefined };
  return {
    driver: { liveCalls: () => 0, idle, hangUpAll: () => undefined, handOverAll: idle },
    consumer,
    intake: createCallIntake({ consumer, logger }),
    registration: { start: () => undefined, stopping: () => undefined, leave: idle },
    readings: { readTrunks: null, certificateExpiresAtMs: null, liveCallsLimit: 0 },
    prepare: idle,
    startLoops: () => [],
    finishUploads: idle,
    close: idle,
  };
}
