import type { AnsweredBy, Turn } from '@outdial/contracts';

const ANSWERER: Readonly<Record<AnsweredBy, string>> = {
  human: 'Answered by a person.',
  voicemail: 'Answered by voicemail.',
  ivr: 'Answered by a telephone menu.',
  screening: 'Answered by call screening.',
  unknown: 'It is unknown who answered.',
};

/** A conversation in numbers, counted from its transcript; never its subject. */
export function summarize(facts: {
  readonly answeredBy: AnsweredBy;
  readonly transcript: readonly Turn[];
  /** The voicemail message was played completely after the beep. */
  readonly messageLeft: boolean;
  /** Keys that the agent pressed in a menu. */
  readonly keysSent: string;
}): string {
  const { answeredBy, transcript, messageLeft, keysSent } = facts;
  const spoken = transcript.filter((turn) => turn.role === 'agent');
  const heard = transcript.filter((turn) => turn.source === 'untranscribed' || turn.source === 'stt');
  const keys = transcript.filter((turn) => turn.source === 'dtmf').map((turn) => turn.text ?? '');
  return [
    ANSWERER[answeredBy],
    `${agentPart(spoken)}; ${calleePart(heard)}.`,
    ...(keys.length > 0 ? [`The callee pressed ${keys.join(', ')}.`] : []),
    ...(keysSent === '' ? [] : [`The agent pressed ${keysSent.split('').join(', ')}.`]),
    ...(messageLeft ? ['The voicemail message was left.'] : []),
  ].join(' ');
}

function agentPart(turns: readonly Turn[]): string {
  if (turns.length === 0) return 'The agent did not speak';
  const interrupted = turns.filter((turn) => turn.interrupted).length;
  const spoken = `The agent spoke ${count(turns.length, 'turn')}`;
  return interrupted === 0 ? spoken : `${spoken}, ${interrupted} of them interrupted`;
}

function calleePart(turns: readonly Turn[]): string {
  if (turns.length === 0) return 'the callee did not speak';
  const totalMs = turns.reduce((sum, turn) => sum + turn.end_ms - turn.start_ms, 0);
  const spoke = `the callee spoke ${count(turns.length, 'time')}, ${(totalMs / 1_000).toFixed(1)} s in all`;
  const missing = turns.filter((turn) => turn.source === 'untranscribed').length;
  if (missing === 0) return spoke;
  return `${spoke}; ${missing === turns.length ? 'none of it was transcribed' : `${count(missing, 'turn')} not transcribed`}`;
}

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
