import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, type Figure } from '../../report.ts';
import { parseRecording } from '../../voice/recording.ts';
import { voicedWindows, WINDOW_MS } from '../../voice/speech.ts';
import { earlyEnds } from '../early-ends.ts';
import type { ModelsStage } from '../stage.ts';

/** Until every call has said its first answer twice: as far as it came, and again. */
const TALK_MS = 20_000;
/** The first answer, whole, is longer. */
const ANSWER_MS = 5_000;

/**
 * Calls whose connection is lost once, in the middle of the first answer, after a fifth of a second of its sound or more.
 * What is heard of the loss is the longest silence in that answer.
 */
export async function measureReconnect(stage: ModelsStage, say: (text: string) => void): Promise<Figure[]> {
  const { api, account } = stage;
  await stage.warmUp('realtime');
  const { placedIds, talkingIds } = await stage.talk({ agentIds: account.breakingAgents, persona: 'friendly' });
  await sleep(TALK_MS);
  const silences: number[] = [];
  for (const { id } of await stage.end(talkingIds))
    silences.push(longestSilenceMs(parseRecording(await api.recording(id)).agent));
  say(`${silences.length} lost connections: silences of ${silences.map((ms) => `${ms}`).join(', ')} ms`);
  return [
    {
      name: 'connection lost in the middle of an answer: silence heard, p95',
      value: percentile(silences, 0.95),
      unit: 'ms',
      goal: { atMost: 500 },
      absolute: { 'p50 ms': percentile(silences, 0.5), 'most ms': Math.max(...silences) },
    },
    await earlyEnds(stage, 'connection lost in the middle of an answer', placedIds),
  ];
}

/** In the answer that begins with the first sound. */
function longestSilenceMs(agent: Int16Array): number {
  const voiced = voicedWindows(agent);
  const first = voiced.indexOf(true);
  if (first < 0) throw new Error('an agent said nothing');
  const answer = voiced.slice(first, first + ANSWER_MS / WINDOW_MS);
  let [longest, silent] = [0, 0];
  for (const isVoiced of answer) {
    silent = isVoiced ? 0 : silent + 1;
    longest = Math.max(longest, silent);
  }
  return longest * WINDOW_MS;
}
