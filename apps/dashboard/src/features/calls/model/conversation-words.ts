import type { CallBody } from '@outdial/contracts';

type Facts = Pick<CallBody, 'status' | 'answered_at' | 'recording_status' | 'transcript'>;

/** Why there is nothing to play, or to read, or either. */
export function conversationWords(call: Facts): readonly string[] {
  if (call.status !== 'ended') {
    return call.answered_at === null
      ? ['Once somebody has answered, the call is recorded. It can be heard and read here when it has ended.']
      : ['The call is being recorded. It can be heard and read here when it has ended.'];
  }
  if (call.answered_at === null) return ['Nobody answered, so there is nothing to hear or to read.'];
  const words: string[] = [];
  if (call.recording_status === 'pending') words.push('The recording is being stored, and appears here in a moment.');
  if (call.recording_status === 'none') {
    words.push('There is no recording: the time for which recordings are kept is over, or none could be made.');
  }
  if (call.transcript === null || call.transcript.length === 0) words.push('Nobody said anything that was heard.');
  return words;
}
