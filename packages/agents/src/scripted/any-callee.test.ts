import { fillTemplate, spokenTexts } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpeechSynthesizer } from '../speech/synthesizer.ts';
import { reminderWith, scriptedCalls, VARIABLES } from '../testing/scripted-calls.ts';
import { brownNoise, silence, tone, whiteNoise } from '../testing/sounds.ts';

const speech = createSpeechSynthesizer({ clock: systemClock });
const clips: Record<string, Int16Array> = {
  beep: tone(1_000, 400),
  noise: whiteNoise(800, 4_000),
  rumble: brownNoise(1_200, 8_000),
  clipped: whiteNoise(300, 18_000),
};
let call: Awaited<ReturnType<typeof scriptedCalls>>;

beforeAll(async () => {
  call = await scriptedCalls(speech);
  clips['hello'] = await speech.synthesize({ text: 'Hello?', voice: 'kal' });
  clips['question'] = await speech.synthesize({
    text: 'Hi. Please state your name and the reason for calling.',
    voice: 'kal',
  });
  clips['prompt'] = await speech.synthesize({
    text: 'Thank you for calling. To speak to a member of our team, press 1. Stay on the line.',
    voice: 'kal',
  });
});
afterAll(() => speech.close());

type Act =
  | { readonly kind: 'sound'; readonly name: string }
  | { readonly kind: 'silence'; readonly frames: number }
  | { readonly kind: 'samples'; readonly samples: readonly number[]; readonly frames: number }
  | { readonly kind: 'keys'; readonly keys: string }
  | { readonly kind: 'on_hold'; readonly isOnHold: boolean }
  | { readonly kind: 'late_frames'; readonly frames: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('sound' as const),
    name: fc.constantFrom('beep', 'noise', 'rumble', 'clipped', 'hello', 'question', 'prompt'),
  }),
  fc.record({ kind: fc.constant('silence' as const), frames: fc.integer({ min: 1, max: 300 }) }),
  fc.record({
    kind: fc.constant('samples' as const),
    samples: fc.array(fc.integer({ min: -32_768, max: 32_767 }), { minLength: 160, maxLength: 160 }),
    frames: fc.integer({ min: 1, max: 60 }),
  }),
  fc.record({ kind: fc.constant('keys' as const), keys: fc.stringMatching(/^[0-9*#A-D]{0,4}$/) }),
  fc.record({ kind: fc.constant('on_hold' as const), isOnHold: fc.boolean() }),
  // The clock either catches up by hearing without playing, or plays without having heard.
  fc.record({ kind: fc.constant('late_frames' as const), frames: fc.integer({ min: 1, max: 40 }) }),
);
const changes = fc.record(
  {
    barge_in: fc.boolean(),
    menu: fc.constantFrom(undefined, { '1': 'One it is.' }),
    screening_reply: fc.constantFrom(undefined, 'This is the clinic.'),
    voicemail_message: fc.constantFrom(undefined, 'Please call us back.'),
    lines: fc.constantFrom([], ['A line.', 'Another line.']),
  },
  { requiredKeys: [] },
);

describe('for any callee', () => {
  it('the agent never throws, turns of each role are in order without overlap, and only the script is spoken', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 25 }), changes, async (acts, changed) => {
        const { agent, callee } = await call(changed);
        for (const each of acts) {
          if (each.kind === 'sound') callee.say(clips[each.name] ?? silence(20));
          if (each.kind === 'silence') callee.say(silence(20 * each.frames));
          if (each.kind === 'samples')
            for (let frame = 0; frame < each.frames; frame += 1) callee.say(Int16Array.from(each.samples));
          if (each.kind === 'keys') agent.hearDigits(each.keys);
          if (each.kind === 'on_hold') agent.setOnHold(each.isOnHold);
          if (each.kind === 'late_frames') {
            for (let frame = 0; frame < each.frames; frame += 1) {
              if (each.frames % 2 === 0) agent.speak();
              else agent.hear(silence(20));
            }
          }
        }
        const { transcript, summary } = agent.finish();

        const script = spokenTexts(reminderWith(changed)).map(({ text }) => fillTemplate(text, VARIABLES));
        for (const turn of transcript.filter(({ role }) => role === 'agent')) {
          const spoken = turn.text ?? '?';
          expect(script.some((line) => (turn.interrupted ? line.startsWith(spoken) : line === spoken))).toBe(true);
        }
        for (const role of ['agent', 'callee'] as const) {
          const own = transcript.filter((turn) => turn.role === role);
          for (const [index, turn] of own.entries()) {
            expect(turn.end_ms).toBeGreaterThanOrEqual(turn.start_ms);
            expect(turn.start_ms).toBeGreaterThanOrEqual(own[index - 1]?.end_ms ?? 0);
          }
        }
        expect(transcript.map((turn) => turn.start_ms)).toEqual(
          transcript.map((turn) => turn.start_ms).toSorted((a, b) => a - b),
        );
        expect(callee.events.flatMap((event) => (event.kind === 'turn' ? [event.turn] : []))).toHaveLength(
          transcript.length,
        );
        expect(callee.events.filter((event) => event.kind === 'hang_up').length).toBeLessThanOrEqual(1);
        expect(summary).not.toBeNull();
      }),
      { numRuns: 60 },
    );
  });
});
