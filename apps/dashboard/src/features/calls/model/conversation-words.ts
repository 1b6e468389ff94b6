import type { CallBody } from '@outdial/contracts';

type Facts = Pick<CallBody, 'status' | 'answered_at' | 'recording_status' | 'transcript'>;

/** Explains why there is no recording, no transcript, or neither. */
export function conversationWords(call: Facts): readonly string[] {
  if (call.status !== 'ended') {
    return call.answered_at === null
      ? ['Recording starts when the call is answered. What is said then appears here as it is spoken.']
      : ['The call is being recorded. Each turn appears here once it is spoken, the recording after the call ends.'];
  }
  if (call.answered_at === null) return ['The call was not answered, so there is no recording or transcript.'];
  const words: string[] = [];
  if (call.recording_status === 'pending') words.push('The recording is being saved and appears here in a moment.');
  if (call.recording_status === 'none') {
    words.push('No recording: its retention period is over, or the call could not be recorded.');
  }
  if (call.transcript === null || call.transcript.length === 0) words.push('No transcript: no speech was detected.');
  return words;
}
