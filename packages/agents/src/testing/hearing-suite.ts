import { FRAME_SAMPLES, type SpeechSynthesizer } from '@outdial/calls';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEar, type SpokenTurn } from '../hearing/ear.ts';
import { loadVoiceDetectors, type VoiceDetectors } from '../hearing/voice-detector.ts';
import { LINE_CONDITIONS } from './line-conditions.ts';
import { scriptedCalls } from './scripted-calls.ts';
import { concat, scale, silence, tone } from './sounds.ts';

/** Ends of words are soft: the ear may take them for the silence after them. */
const START_TOLERANCE_MS = 200;
const END_TOLERANCE_MS = 300;
/** So much speech stops an agent that speaks, as README says it must within 300 ms. */
const BARGE_IN_SPEECH_MS = 140;
/** From the first sound of speech to its being enough to stop an agent that speaks. */
const BREAKS_IN_WITHIN_MS = 340;

const GREETINGS = ['Hello?', 'Yes?', 'Hello, this is Anna.', 'Good morning.'];
const SENTENCE = 'Yes, that is fine with me, thank you very much.';
const MACHINES = {
  voicemail:
    'You have reached the voicemail of Alex Morgan. I cannot come to the telephone right now. Please leave a message after the tone.',
  screening: 'Hi. Please state your name and the reason for calling.',
  ivr: 'Thank you for calling the service desk. To speak to a member of our team, press 1. To hear this again, stay on the line.',
} as const;
const BEEP = tone(1_000, 500, 4_000);

export interface HearingSuite<Voice extends string> {
  readonly voices: readonly Voice[];
  /** At the usual level, without silence around it. */
  readonly say: (text: string, voice: Voice) => Promise<Int16Array>;
  /** What the agent itself speaks with. */
  readonly speech: SpeechSynthesizer;
}

/** What the agent hears of people and machines on every kind of line, by its real hearing and its real rules. */
export function describeHearing<Voice extends string>({ voices, say, speech }: HearingSuite<Voice>): void {
  let call: Awaited<ReturnType<typeof scriptedCalls>>;
  let detectors: VoiceDetectors;
  beforeAll(async () => {
    call = await scriptedCalls(speech);
    detectors = await loadVoiceDetectors();
  });

  async function whoAnswers(sound: Int16Array): Promise<string | null> {
    const { agent, callee } = await call();
    callee.say(sound);
    return agent.finish().answeredBy;
  }

  describe.each(Object.entries(LINE_CONDITIONS))('over %s', (_, line) => {
    it.each(voices)('a greeting in voice %s is a person’s', async (voice) => {
      for (const greeting of GREETINGS) {
        const by = await whoAnswers(line(concat(silence(600), await say(greeting, voice), silence(1_500))));
        expect({ greeting, by }).toEqual({ greeting, by: 'human' });
      }
    });

    it.each(voices)('machines in voice %s are told from each other', async (voice) => {
      const [voicemail, screening, menu] = await Promise.all([
        say(MACHINES.voicemail, voice),
        say(MACHINES.screening, voice),
        say(MACHINES.ivr, voice),
      ]);
      const heard = {
        voicemail: await whoAnswers(line(concat(silence(200), voicemail, silence(600), BEEP, silence(8_000)))),
        screening: await whoAnswers(line(concat(silence(200), screening, silence(8_000)))),
        ivr: await whoAnswers(line(concat(silence(200), menu, silence(3_000)))),
      };
      expect(heard).toEqual({ voicemail: 'voicemail', screening: 'screening', ivr: 'ivr' });
    });

    it.each(voices)(
      'turns in voice %s are found with their times, and soon enough to give way to them',
      async (voice) => {
        const clip = await say(SENTENCE, voice);
        const clipMs = clip.length / 8;
        const { turns, brokeInMs } = listen(
          line(concat(silence(2_000), clip, silence(2_000), clip, silence(1_000))),
          detectors,
        );
        expect(turns).toHaveLength(2);
        for (const [nth, { startMs, endMs }] of turns.entries()) {
          const saidMs = 2_000 + nth * (clipMs + 2_000);
          expect(Math.abs(startMs - saidMs)).toBeLessThanOrEqual(START_TOLERANCE_MS);
          expect(Math.abs(endMs - (saidMs + clipMs))).toBeLessThanOrEqual(END_TOLERANCE_MS);
          expect((brokeInMs[nth] ?? Infinity) - saidMs).toBeLessThanOrEqual(BREAKS_IN_WITHIN_MS);
        }
      },
    );
  });

  it.each(voices)(
    'whoever in voice %s speaks up and then lowers the voice by 24 dB is heard both times',
    async (voice) => {
      const clip = await say(SENTENCE, voice);
      const line = LINE_CONDITIONS['a quiet line'];
      const sound = concat(silence(500), scale(clip, 4), silence(1_500), scale(clip, 0.25), silence(1_000));
      expect(line && listen(line(sound), detectors).turns).toHaveLength(2);
    },
  );
}

/** The turns in a sound, and when each was long enough to break into what the agent says. */
function listen(sound: Int16Array, detectors: VoiceDetectors) {
  const ear = createEar(detectors());
  const turns: SpokenTurn[] = [];
  const brokeInMs: number[] = [];
  for (let at = 0; at + FRAME_SAMPLES <= sound.length; at += FRAME_SAMPLES) {
    const { ended, nowMs, turn } = ear.hear(sound.subarray(at, at + FRAME_SAMPLES));
    if (turn && turn.speechMs >= BARGE_IN_SPEECH_MS) brokeInMs[turns.length] ??= nowMs;
    if (ended) turns.push(ended);
  }
  ear.free();
  return { turns, brokeInMs };
}
