import { describe, expect, test } from 'vitest';
import { bargeIn, type BargeInMoment } from './barge-in.ts';

const INTERRUPTION: BargeInMoment['settings']['interruption'] = {
  enabled: true,
  min_speech_ms: 140,
  min_words: 0,
  ignore_phrases: [],
  false_interruption_timeout_ms: 400,
};

/** The agent talks, and the callee has begun to. */
function kindAt(changes: Partial<BargeInMoment>, interruption: Partial<typeof INTERRUPTION> = {}): string {
  return bargeIn({
    heard: { nowMs: 10_000, turn: undefined, ended: undefined, beep: false, tone: false },
    settings: { interruption: { ...INTERRUPTION, ...interruption } },
    playing: true,
    paused: null,
    speechOverMs: 0,
    calleeSilentMs: 0,
    providerHeard: false,
    wordsOver: null,
    ...changes,
  }).kind;
}
const PAUSED = { sinceMs: 9_900 };
const LONG_PAUSED = { sinceMs: 9_600 };

describe('speech over the agent', () => {
  test('silences it once it is longer than a click', () => {
    expect(kindAt({ speechOverMs: 120 })).toBe('stay');
    expect(kindAt({ speechOverMs: 140 })).toBe('pause');
  });

  test('that ended before the agent began does not count', () => {
    expect(kindAt({ speechOverMs: 500, calleeSilentMs: 300 })).toBe('stay');
    expect(kindAt({ speechOverMs: 500, playing: false })).toBe('stay');
  });

  test.each([
    ['300 ms of speech', { speechOverMs: 300 }],
    ['the provider', { speechOverMs: 160, providerHeard: true }],
    ['a word', { speechOverMs: 160, wordsOver: 'Stop!' }],
  ])('is an interruption once it is confirmed by %s', (_, sign) => {
    expect(kindAt({ paused: PAUSED, speechOverMs: 160 })).toBe('stay');
    expect(kindAt({ paused: PAUSED, ...sign })).toBe('cut');
  });

  test('is none if it is not confirmed in time and the callee is silent again', () => {
    expect(kindAt({ paused: LONG_PAUSED, speechOverMs: 160, calleeSilentMs: 100 })).toBe('stay');
    expect(kindAt({ paused: PAUSED, speechOverMs: 160, calleeSilentMs: 250 })).toBe('stay');
    expect(kindAt({ paused: LONG_PAUSED, calleeSilentMs: 250 })).toBe('resume');
  });

  test('is judged by its words where the settings say so', () => {
    const phrases = { ignore_phrases: ['I see', 'mm-hm'] };
    expect(kindAt({ paused: PAUSED, speechOverMs: 600, providerHeard: true }, phrases)).toBe('stay');
    expect(kindAt({ paused: PAUSED, speechOverMs: 600, wordsOver: 'I see.' }, phrases)).toBe('resume');
    expect(kindAt({ paused: PAUSED, speechOverMs: 600, wordsOver: 'I see him.' }, phrases)).toBe('cut');
    expect(kindAt({ paused: PAUSED, speechOverMs: 1_000 }, phrases)).toBe('cut');
    expect(kindAt({ paused: PAUSED, speechOverMs: 600, wordsOver: 'No.' }, { min_words: 2 })).toBe('stay');
    expect(kindAt({ paused: PAUSED, speechOverMs: 600, wordsOver: 'No, wait.' }, { min_words: 2 })).toBe('cut');
  });

  test('cuts the agent by its words even if it spoke on', () => {
    expect(kindAt({ wordsOver: 'Wait.', calleeSilentMs: 900 })).toBe('cut');
  });

  test('changes nothing where the settings forbid interruptions', () => {
    expect(kindAt({ speechOverMs: 2_000 }, { enabled: false })).toBe('stay');
  });
});
