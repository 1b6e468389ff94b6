import type { RecordingOutbox } from '@outdial/calls';
import type { UPLOAD_OUTCOMES } from './catalogue.ts';
import type { CountBy } from './instruments.ts';

/** Counts what came of each upload; one that another worker was faster with is that worker's. */
export function measureUploads(
  outbox: RecordingOutbox,
  uploads: CountBy<(typeof UPLOAD_OUTCOMES)[number]>,
): RecordingOutbox {
  return {
    list: () => outbox.list(),
    discard: (callId) => outbox.discard(callId),
    async upload(callId, aborted) {
      try {
        const outcome = await outbox.upload(callId, aborted);
        if (outcome !== 'gone') uploads(outcome);
        return outcome;
      } catch (error) {
        // Broken off by the end of the process, it has not failed.
        if (!aborted.aborted) uploads('failed');
        throw error;
      }
    },
  };
}
