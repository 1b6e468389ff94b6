import type { RecordingOutbox } from '@outdial/calls';
import type { UPLOAD_OUTCOMES } from './catalogue.ts';
import type { CountBy } from './instruments.ts';

/** Counts the outcomes of uploads. A recording that another worker uploaded counts only there. */
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
        // An upload that the end of the process aborted has not failed.
        if (!aborted.aborted) uploads('failed');
        throw error;
      }
    },
  };
}
