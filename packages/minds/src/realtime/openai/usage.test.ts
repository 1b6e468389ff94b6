import { afterEach, describe, expect, test } from 'vitest';
import { DIALECTS, RecordedMind } from '../../../test/recorded-mind.ts';
import type { OpenAiMindInput } from './openai-mind.ts';
import { startProvider, type Provider } from '../../../test/provider.ts';

const HELLO = 'Hello?';
const YES = 'Yes, Tuesday is fine.';
const SCRIPT = {
  opening: { say: 'Good morning, this is the dental practice of Doctor Miller.' },
  rules: [
    { when: /Tuesday/, say: 'Thank you. See you on Tuesday.' },
    { when: /Hello/, tool: { name: 'lookup', arguments: { day: 'Tuesday' } } },
    { when: /free slots/, say: 'There is a slot at nine.' },
  ],
  otherwise: { say: 'Could you say that again?' },
};
const BY_TOKENS = DIALECTS.filter(({ dialect }) => dialect.billedBy === 'tokens');

type Case = (typeof DIALECTS)[number];

const providers: Provider[] = [];
const minds: RecordedMind[] = [];

async function provider(timings: Parameters<typeof startProvider>[0]['timings'] = {}): Promise<Provider> {
  const started = await startProvider({ script: SCRIPT, sentences: [HELLO, YES], timings });
  providers.push(started);
  return started;
}

/** Opens minds of a dialect with its settings. */
function open(of: Case, started: Provider, changes: Partial<OpenAiMindInput> = {}): RecordedMind {
  const { dialect, settings } = of;
  const opened = new RecordedMind(started, { dialect, settings, ...changes });
  minds.push(opened);
  return opened;
}

afterEach(async () => {
  for (const { mind } of minds.splice(0)) mind.close();
  for (const started of providers.splice(0)) await started.close();
});

async function usageOf(of: Case, started: Provider, transcriptionModel: string) {
  const { settings } = of;
  const transcription = { ...settings.transcription, model: transcriptionModel, keywords: [] };
  const conversation = open(of, started, { settings: { ...settings, transcription } });
  await conversation.next('ready');
  conversation.mind.openGate();
  for (const [turn, sentence] of [HELLO, YES, 'Unknown words.'].entries()) {
    conversation.hear(sentence);
    await conversation.next('callee_said', turn + 1);
    await conversation.next('answer_over', turn + 1);
  }
  return conversation.of('usage').flatMap(({ entries }) => entries);
}

describe.each(BY_TOKENS)('usage equals what $provider bills', (of) => {
  test.each([
    ['by tokens', 'gpt-4o-mini-transcribe', ['input_audio_token', 'output_text_token']],
    ['by the second', 'whisper-1', ['second']],
  ] as const)('for a model that is billed %s', async (_how, model, units) => {
    const started = await provider();
    const used = await usageOf(of, started, model);
    const sum = (entries: typeof used) => entries.reduce((total, { quantity }) => total + quantity, 0);
    expect(sum(used.filter(({ component }) => component === 'realtime'))).toBe(started.billedTokens());
    expect(new Set(used.map((entry) => entry.provider))).toEqual(new Set([of.provider]));
    expect(new Set(used.map(({ unit }) => unit))).toContain('cached_input_audio_token');
    const transcribed = used.filter(({ component }) => component === 'stt');
    expect(new Set(transcribed.map((entry) => `${entry.model} ${entry.unit}`))).toEqual(
      new Set(units.map((unit) => `${model} ${unit}`)),
    );
    for (const unit of units) {
      expect(started.billedTranscription(unit)).toBeGreaterThan(0);
      expect(sum(transcribed.filter((entry) => entry.unit === unit))).toBe(started.billedTranscription(unit));
    }
  });
});

test.each(BY_TOKENS)('times of $provider are mapped across sound that was never sent', async (of) => {
  const conversation = open(of, await provider());
  await conversation.next('ready');
  conversation.hear(HELLO);
  // On hold for twenty seconds.
  conversation.hear(YES, 20_000);
  expect((await conversation.next('callee_said', 2)).startMs).toBeCloseTo(20_000, -1);
});
