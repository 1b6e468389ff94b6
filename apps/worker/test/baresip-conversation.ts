import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { concat, silence, speakWithEspeak, type IndependentVoice } from '@outdial/agents/testing';
import type { CallId } from '@outdial/contracts';
import { expect } from 'vitest';
import { AT_REST, audit } from './audit.ts';
import { callBaresip, type BaresipCallOptions } from './baresip-call.ts';
import { readRecording } from './recording.ts';
import { resemblance, type Stretch } from './resemblance.ts';
import type { Stage } from './stage.ts';

/** Half a minute of conversation, and processes that start on a machine that is many times slower. */
export const LIMIT_MS = 400_000;
/** µ-law keeps 0.9999 of speech. At 0.99 the rest is 17 dB below the speech, which µ-law alone never causes. */
const SAME_SOUND = 0.99;
/** Other speech correlates below 0.2, at any offset. */
const ANOTHER_SOUND = 0.5;
/** The ends of words are soft: the agent may take them for the silence after them. */
const TURN_TOLERANCE_MS = 300;

/** What baresip says, and when: the pauses between are longer than the agent's script lines. */
const CALLEE_SAYS = [
  [600, 'Hello?'],
  [8_000, 'Yes, I have written that down.'],
  [14_000, 'I will be there at nine.'],
] as const;

const UNTRANSCRIBED = { role: 'callee', source: 'untranscribed', text: null };
const spoken = (text: string) => ({ role: 'agent', source: 'script', text, interrupted: false });

const recordingOf = async (stage: Stage, id: CallId) =>
  readRecording(await readFile(join(stage.dataDir, 'recordings', id.slice(-2), `${id}.wav`)));

/** One sound with everything that baresip says, and the position of each turn in it. */
function monologue(voice: IndependentVoice): { readonly plays: Int16Array; readonly said: readonly Stretch[] } {
  let plays = silence(0);
  const said = CALLEE_SAYS.map(([start_ms, text]) => {
    const words = speakWithEspeak(text, voice);
    plays = concat(plays, silence(start_ms - plays.length / 8), words);
    return { start_ms, end_ms: start_ms + words.length / 8 };
  });
  return { plays, said };
}

/** Holds a conversation with baresip, and expects each side to be heard and recorded as it spoke, in its turn. */
export async function expectConversation(
  stage: Stage,
  transport: BaresipCallOptions['transport'],
  voice: IndependentVoice,
): Promise<void> {
  const { plays, said } = monologue(voice);
  const placed = await callBaresip(stage, { transport, plays, patient: true });
  try {
    const result = await placed.ended();
    expect(result).toMatchObject({ endedReason: 'agent_hangup', answeredBy: 'human', sipCode: 200 });
    expect(result.transcript).toMatchObject([
      UNTRANSCRIBED,
      spoken('Hello Ada, this is a reminder of your appointment.'),
      UNTRANSCRIBED,
      spoken('Will you be there?'),
      UNTRANSCRIBED,
      spoken('Goodbye.'),
    ]);
    const turns = result.transcript ?? [];
    for (const [nth, turn] of turns.entries())
      expect(turn.start_ms).toBeGreaterThanOrEqual(turns[nth - 1]?.end_ms ?? 0);

    const { agent, callee } = await recordingOf(stage, result.id);
    const agentTurns = turns.filter(({ role }) => role === 'agent');
    expect(agent.peakOutside(agentTurns)).toBe(0);
    expect(resemblance(agent.samples, agentTurns, await placed.baresip.heard()).correlation).toBeGreaterThan(
      SAME_SOUND,
    );
    expect(resemblance(agent.samples, agentTurns, plays).correlation).toBeLessThan(ANOTHER_SOUND);
    expect(resemblance(plays, said, callee.samples).correlation).toBeGreaterThan(SAME_SOUND);
    const calleeTurns = turns.filter(({ role }) => role === 'callee');
    for (const [nth, stretch] of said.entries()) {
      const heard = calleeTurns[nth] ?? { start_ms: Infinity, end_ms: Infinity };
      // Each turn at its place in the recording: a process that stalls between two turns shifts the later one.
      const { lagMs } = resemblance(plays, [stretch], callee.samples);
      expect(Math.abs(heard.start_ms - lagMs - stretch.start_ms)).toBeLessThan(TURN_TOLERANCE_MS);
      expect(Math.abs(heard.end_ms - lagMs - stretch.end_ms)).toBeLessThan(TURN_TOLERANCE_MS);
    }
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  } finally {
    await placed.close();
  }
}
