import { FRAME_SAMPLES, type SpeechSynthesizer } from '@outdial/calls';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTurnDetector, type SpokenTurn } from '../hearing/turn-detector.ts';
import { loadVoiceDetectors, type VoiceDetectors } from '../hearing/voice-detector.ts';
import { AUDIO_CONDITIONS } from './audio-conditions.ts';
import { scriptedCalls } from './scripted-calls.ts';
import { concat, scale, silence, tone } from './sounds.ts';

/** Word ends are soft: the detector may take them for silence. */
const START_TOLERANCE_MS = 200;
const END_TOLERANCE_MS = 300;
/** This much speech stops a speaking agent; the README promises 300 ms. */
const BARGE_IN_SPEECH_MS = 140;
/** From the first sound of speech until it is enough to stop a speaking agent. */
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
  /** Speech at the usual level, without silence around it. */
  readonly say: (text: string, voice: Voice) => Promise<Int16Array>;
  /** The agent's own synthesizer. */
  readonly speech: SpeechSynthesizer;
}

/** What the agent hears of people and machines in all audio conditions, with its real detectors and rules. */
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

  describe.each(Object.entries(AUDIO_CONDITIONS))('over %s', (_, line) => {
    it.each(voices)('a greeting in voice %s is recognized as a person’s', async (voice) => {
      for (const greeting of GREETINGS) {
        const by = await whoAnswers(line(concat(silence(600), await say(greeting, voice), silence(1_500))));
        expect({ greeting, by }).toEqual({ greeting, by: 'human' });
      }
    });

    it.each(voices)('machines in voice %s are distinguished', async (voice) => {
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

    it.each(voices)('turns in voice %s are found with their times, and soon enough for barge-in', async (voice) => {
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
    });
  });

  it.each(voices)('a callee in voice %s who speaks loudly and then 24 dB lower is heard both times', async (voice) => {
    const clip = await say(SENTENCE, voice);
    const line = AUDIO_CONDITIONS['a clean connection'];
    const sound = concat(silence(500), scale(clip, 4), silence(1_500), scale(clip, 0.25), silence(1_000));
    expect(line && listen(line(sound), detectors).turns).toHaveLength(2);
  });
}

/** The turns in a sound, and when each was long enough for barge-in. */
function listen(sound: Int16Array, detectors: VoiceDetectors) {
  const detector = createTurnDetector(detectors());
  const turns: SpokenTurn[] = [];
  const brokeInMs: number[] = [];
  for (let at = 0; at + FRAME_SAMPLES <= sound.length; at += FRAME_SAMPLES) {
    const { ended, nowMs, turn } = detector.hear(sound.subarray(at, at + FRAME_SAMPLES));
    if (turn && turn.speechMs >= BARGE_IN_SPEECH_MS) brokeInMs[turns.length] ??= nowMs;
    if (ended) turns.push(ended);
  }
  detector.free();
  return { turns, brokeInMs };
}
