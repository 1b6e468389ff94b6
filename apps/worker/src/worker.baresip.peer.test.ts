import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { concat, silence, speakWithEspeak, type IndependentVoice } from '@outdial/agents/testing';
import type { CallId } from '@outdial/contracts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../test/audit.ts';
import { callBaresip, type BaresipCall, type BaresipCallOptions } from '../test/baresip-call.ts';
import { readRecording } from '../test/recording.ts';
import { resemblance, type Stretch } from '../test/resemblance.ts';
import { openStage, type Stage } from '../test/stage.ts';

/** Half a minute of conversation, and processes that start on a machine that is many times slower. */
const LIMIT_MS = 400_000;
/** µ-law leaves 0.9999 of speech. At 0.99 what is not that speech is 17 dB below it, which µ-law alone never makes. */
const SAME_SOUND = 0.99;
/** What somebody else says has less than 0.2 of it, wherever it is laid. */
const ANOTHER_SOUND = 0.5;
/** Ends of words are soft: the ear may take them for the silence after them. */
const TURN_TOLERANCE_MS = 300;

/** What the telephone says, and when: the pauses between are longer than the agent's lines. */
const CALLEE_SAYS = [
  [600, 'Hello?'],
  [8_000, 'Yes, I have written that down.'],
  [14_000, 'I will be there at nine.'],
] as const;
const MENU =
  'Thank you for calling the service desk. To speak to a member of our team, press 1. Otherwise, please hold.';

let stage: Stage;
const calls: BaresipCall[] = [];
beforeAll(async () => {
  stage = await openStage();
});
afterEach(async () => {
  for (const placed of calls.splice(0)) await placed.close();
});
afterAll(() => stage.close());

async function call(options: BaresipCallOptions): Promise<BaresipCall> {
  const placed = await callBaresip(stage, options);
  calls.push(placed);
  return placed;
}

const UNTRANSCRIBED = { role: 'callee', source: 'untranscribed', text: null };
const spoken = (text: string) => ({ role: 'agent', source: 'script', text, interrupted: false });

const recordingOf = async (id: CallId) =>
  readRecording(await readFile(join(stage.dataDir, 'recordings', id.slice(-2), `${id}.wav`)));

/** One sound of all that the telephone says, and where in it each of its turns lies. */
function monologue(voice: IndependentVoice): { readonly plays: Int16Array; readonly said: readonly Stretch[] } {
  let plays = silence(0);
  const said = CALLEE_SAYS.map(([start_ms, text]) => {
    const words = speakWithEspeak(text, voice);
    plays = concat(plays, silence(start_ms - plays.length / 8), words);
    return { start_ms, end_ms: start_ms + words.length / 8 };
  });
  return { plays, said };
}

test.each([
  ['udp', 'en-us'],
  ['tcp', 'en-gb+f3'],
  ['tls', 'en-us+m7'],
] as const)(
  'baresip over %s hears the agent as it is recorded, and is heard as it spoke: each in its turn',
  async (transport, voice) => {
    const { plays, said } = monologue(voice);
    const placed = await call({ transport, plays, patient: true });
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

    const { agent, callee } = await recordingOf(result.id);
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
      // Each turn by where the recording has it: a process that stalls between two turns shifts the later one.
      const { lagMs } = resemblance(plays, [stretch], callee.samples);
      expect(Math.abs(heard.start_ms - lagMs - stretch.start_ms)).toBeLessThan(TURN_TOLERANCE_MS);
      expect(Math.abs(heard.end_ms - lagMs - stretch.end_ms)).toBeLessThan(TURN_TOLERANCE_MS);
    }
    expect(await audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);

test(
  'a key that baresip presses is answered by the line of that key, and stands in the transcript',
  async () => {
    const placed = await call({ transport: 'udp', plays: silence(0), patient: false });
    await placed.baresip.talks();
    await placed.baresip.press('1');
    const result = await placed.ended();
    expect(result).toMatchObject({ endedReason: 'silence_timeout', answeredBy: 'human' });
    const pressed = result.transcript?.findIndex(({ source }) => source === 'dtmf');
    expect(result.transcript?.slice(pressed)).toMatchObject([
      { role: 'callee', source: 'dtmf', text: '1' },
      { role: 'agent', text: 'Thank you for confirming.', interrupted: false },
      { role: 'agent', text: 'Are you there?' },
    ]);
    expect(await audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);

test(
  'a menu that baresip plays gets its key, and baresip hears it',
  async () => {
    const plays = concat(silence(400), speakWithEspeak(MENU, 'en-gb-scotland+f2'));
    const placed = await call({ transport: 'udp', plays, patient: true });
    expect(await placed.baresip.hearsKey()).toBe('1');
    await placed.baresip.hangUp();
    const result = await placed.ended();
    expect(result).toMatchObject({
      endedReason: 'callee_hangup',
      answeredBy: 'ivr',
      summary: expect.stringContaining('The agent pressed 1.'),
    });
    expect(await audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);
