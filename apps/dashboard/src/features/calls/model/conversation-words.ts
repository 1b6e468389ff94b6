import type { CallBody } from '@outdial/contracts';

type Facts = Pick<CallBody, 'status' | 'answered_at' | 'recording_status'>;

/** Why there is no recording to play. */
export function recordingWords({ status, answered_at: answeredAt, recording_status: recording }: Facts): string {
  if (status !== 'ended') {
    return answeredAt === null
      ? 'Recording begins when somebody answers.'
      : 'The call is being recorded. The recording can be played once it has ended.';
  }
  if (recording === 'pending') return 'The recording is being stored, and appears here in a moment.';
  if (answeredAt === null) return 'Nobody answered, so there is no recording.';
  return 'There is no recording: it was deleted after the time for which recordings are kept, or none was made.';
}

/** Why there is no transcript to read. */
export function transcriptWords({ status, answered_at: answeredAt }: Facts): string {
  if (status !== 'ended') return 'What is said appears here when the call has ended.';
  if (answeredAt === null) return 'Nothing was said.';
  return 'Nobody said anything that was heard.';
}
