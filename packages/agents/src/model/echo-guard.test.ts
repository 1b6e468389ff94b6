import { FRAME_MS, FRAME_SAMPLES } from '@outdial/calls';
import { expect, test } from 'vitest';
import { greetedCall, speech, type ConductedCall } from '../testing/conducted-calls.ts';
import { mix, scale, silence, whiteNoise } from '../testing/sounds.ts';
import { encodeUlaw } from './ulaw.ts';

const ANSWER = 'We would like to move your appointment to another day.';
const ANSWER_MS = 4_000;
const ECHO_DELAY_MS = 160;
const OTHER_SEED = 7;

/** An answer that sounds like speech to the ear of these tests. */
function answer({ mind }: ConductedCall): void {
  const sound = whiteNoise(ANSWER_MS, 6_000, OTHER_SEED);
  const ulaw = new Uint8Array(sound.length);
  encodeUlaw(sound, ulaw, 0);
  mind.sounds('answer', ANSWER, ulaw);
  mind.emit({ kind: 'item_over', item: 'answer' });
  mind.emit({ kind: 'answer_over', empty: false });
}

/** The line returns what the agent plays, beside what the callee says. Returns how often the agent was heard. */
function onEchoingLine({ callee }: ConductedCall, sound: Int16Array): number {
  let spokenMs = 0;
  for (let at = 0; at < sound.length; at += FRAME_SAMPLES) {
    const returned = callee
      .played()
      .subarray(-ECHO_DELAY_MS * 8)
      .subarray(0, FRAME_SAMPLES);
    callee.say(mix(sound.subarray(at, at + FRAME_SAMPLES), scale(returned, 0.7)));
    if (callee.agentSpeaks()) spokenMs += FRAME_MS;
  }
  return spokenMs;
}

const turnsOf = async ({ agent }: ConductedCall) =>
  (await agent.finish()).transcript.map(({ role, text, interrupted }) => [role, text, interrupted]);
const GREETED = [
  ['callee', null, false],
  ['agent', 'Good morning Anna, this is the dental practice.', false],
];

test('an agent whose voice comes back speaks to its end, and nothing of it counts as the callee’s', async () => {
  const call = await greetedCall();
  answer(call);
  expect(onEchoingLine(call, silence(ANSWER_MS + 1_500))).toBe(ANSWER_MS);
  expect(call.mind.of('cut')).toEqual([]);
  expect(await turnsOf(call)).toEqual([...GREETED, ['agent', ANSWER, false]]);
});

test('what a provider hears and understands of the agent’s voice does not stop it, and is no turn', async () => {
  const call = await greetedCall();
  answer(call);
  const startMs = call.callee.nowMs() + ECHO_DELAY_MS;
  onEchoingLine(call, silence(1_000));
  call.mind.emit({ kind: 'callee_speaking', atMs: startMs });
  onEchoingLine(call, silence(1_000));
  call.mind.emit({ kind: 'callee_said', text: 'We would like', startMs, endMs: startMs + 900 });
  onEchoingLine(call, silence(3_500));
  expect(await turnsOf(call)).toEqual([...GREETED, ['agent', ANSWER, false]]);
});

test('a callee who speaks over the echo of the agent interrupts it', async () => {
  const call = await greetedCall();
  answer(call);
  onEchoingLine(call, silence(1_500));
  const beganMs = call.callee.nowMs();
  onEchoingLine(call, scale(speech(700), 2));
  expect(call.mind.of('cut')).toMatchObject([{ item: 'answer' }]);
  call.mind.emit({ kind: 'callee_said', text: 'Stop, please.', startMs: beganMs, endMs: beganMs + 700 });
  onEchoingLine(call, silence(1_000));
  expect((await turnsOf(call)).at(-1)).toEqual(['callee', 'Stop, please.', false]);
});
