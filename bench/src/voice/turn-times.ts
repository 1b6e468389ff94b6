import type { Recording } from './recording.ts';
import { fallsSilentMs, turnsIn } from './speech.ts';

/** A later answer belongs to something else. */
const LONGEST_REPLY_MS = 5_000;
/** The agent counts as silent after this time without sound. */
const SPEAKING_MS = 100;

/** From the end of each turn of the callee to the agent's next word, unless the agent was already talking. */
export function replyTimesMs({ callee, agent }: Recording): number[] {
  const agentTurns = turnsIn(agent);
  return turnsIn(callee).flatMap(({ endMs }) => {
    if (agentTurns.some((turn) => turn.startMs < endMs && turn.endMs > endMs)) return [];
    const next = agentTurns.find((turn) => turn.startMs >= endMs);
    return next && next.startMs - endMs <= LONGEST_REPLY_MS ? [next.startMs - endMs] : [];
  });
}

/** From the beginning of each turn of the callee during the agent's speech to the agent's last sample. */
export function bargeInTimesMs({ callee, agent }: Recording): number[] {
  const agentTurns = turnsIn(agent);
  return turnsIn(callee).flatMap(({ startMs }) => {
    const isSpeaking = agentTurns.some((turn) => turn.startMs <= startMs - SPEAKING_MS && turn.endMs > startMs);
    return isSpeaking ? [fallsSilentMs(agent, startMs) - startMs] : [];
  });
}
