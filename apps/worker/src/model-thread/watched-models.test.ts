import type { ModelOutcome } from '@outdial/calls';
import type { LanguageModel, OpenSpeechToText, OpenTextToSpeech, ProviderFailure } from '@outdial/minds';
import { fakeClock } from '@outdial/testkit';
import { describe, expect, test } from 'vitest';
import type { ModelUse } from './model-use.ts';
import { watchedConnection, watchedEars, watchedLanguageModel, watchedVoice } from './watched-models.ts';

type LanguageModelEvent = Parameters<Parameters<LanguageModel['answer']>[1]>[0];
type SpeechToTextEvent = Parameters<Parameters<OpenSpeechToText>[0]>[0];
type TextToSpeechEvent = Parameters<Parameters<OpenTextToSpeech>[0]>[0];

const SOUND = new Uint8Array(320);

function stage() {
  const clock = fakeClock();
  const outcomes: ModelOutcome[] = [];
  const reports = { count: 0 };
  const use: ModelUse = {
    isFallback: false,
    used: (outcome) => void outcomes.push(outcome),
    nearLimit: () => void (reports.count += 1),
    mayUse: async () => true,
  };
  return { clock, outcomes, use, reports };
}

function failed(component: ProviderFailure['component'], kind: ProviderFailure['kind'], details: object = {}) {
  const failure: ProviderFailure = { component, kind, message: 'it failed', retryAfterMs: null, ...details };
  return { kind: 'failed', failure } as const;
}

const nothing = () => undefined;

function openRealtime() {
  const { outcomes, use, reports } = stage();
  let emit: Parameters<ReturnType<typeof watchedConnection>>[0]['listener'] = nothing;
  watchedConnection(use, ({ listener }) => {
    emit = listener;
    return {
      hear: nothing,
      openGate: nothing,
      say: nothing,
      respond: nothing,
      instruct: nothing,
      cut: nothing,
      pressed: nothing,
      toolResult: nothing,
      callOver: () => Promise.resolve(),
      close: nothing,
    };
  })({ history: [], listener: () => undefined });
  return { outcomes, emit, reports };
}

test('a speech-to-speech model that nears the limits of its provider is reported, and that is no fault of it', () => {
  const { emit, outcomes, reports } = openRealtime();
  emit({ kind: 'near_limit' });
  expect([reports.count, outcomes]).toEqual([1, []]);
});

test('a fallback that waits for its line is not connected to end, and is not at fault for it', async () => {
  const { outcomes, use } = stage();
  let give: (taken: boolean) => void = nothing;
  const line = new Promise<boolean>((resolve) => (give = resolve));
  const connected: string[] = [];
  const open = watchedConnection({ ...use, isFallback: true, mayUse: () => line }, () => {
    connected.push('once');
    throw new Error('it is not needed any more');
  });
  const mind = open({ history: [], listener: nothing });
  mind.respond();
  mind.outrun?.();
  await mind.callOver();
  give(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect([connected, outcomes]).toEqual([[], []]);
});

function openEars() {
  const { clock, outcomes, use } = stage();
  let emit: (event: SpeechToTextEvent) => void = nothing;
  const ears = watchedEars(use, clock, (listener) => {
    emit = listener;
    return { hear: () => undefined, endTurn: () => undefined, close: () => undefined };
  })(() => undefined);
  ears.hear(SOUND, 0);
  emit({ kind: 'ready' });
  return { clock, outcomes, ears, emit };
}

function openVoice() {
  const { clock, outcomes, use } = stage();
  let emit: (event: TextToSpeechEvent) => void = nothing;
  const voice = watchedVoice(use, clock, (listener) => {
    emit = listener;
    return { tellsTimes: false, speak: nothing, finish: nothing, cancel: nothing, close: nothing };
  })(() => undefined);
  return { clock, outcomes, voice, emit: (event: TextToSpeechEvent) => emit(event) };
}

function askModel() {
  const { clock, outcomes, use } = stage();
  let emit: (event: LanguageModelEvent) => void = nothing;
  const model = watchedLanguageModel(use, clock, {
    answer(_request, listener) {
      emit = listener;
      return { cancel: () => undefined };
    },
  });
  const generation = model.answer({ instructions: '', conversation: [], tools: [] }, () => undefined);
  emit({ kind: 'text', text: 'Hello' });
  return { clock, outcomes, generation, emit };
}

/** A voice is opened once its line is known. */
async function speaking() {
  const opened = openVoice();
  opened.voice.speak('first', 'Hello.');
  await Promise.resolve();
  opened.voice.finish('first');
  opened.emit({ kind: 'sound', utterance: 'first', ulaw: SOUND });
  return opened;
}

describe('a realtime provider', () => {
  test('that loses the connection in a call is at fault', () => {
    const { outcomes, emit } = openRealtime();
    emit({ kind: 'ready' });
    emit(failed('realtime', 'dropped'));
    expect(outcomes).toEqual(['success', 'fault']);
  });

  test('that ends a call for what it was sent is not', () => {
    const { outcomes, emit } = openRealtime();
    emit({ kind: 'ready' });
    emit({ ...failed('realtime', 'unreachable', { blamesRequest: true }), kind: 'answer_failed' });
    emit(failed('realtime', 'dropped', { blamesRequest: true }));
    expect(outcomes).toEqual(['success']);
  });
});

describe('ears', () => {
  test('that go while the callee is heard are at fault', async () => {
    const { clock, outcomes, ears, emit } = openEars();
    await clock.advance(60_000);
    ears.hear(SOUND, 60_000);
    emit(failed('stt', 'dropped'));
    expect(outcomes).toEqual(['success', 'fault']);
  });

  test('that close while the callee sends no sound blame the callee', async () => {
    const { clock, outcomes, emit } = openEars();
    await clock.advance(10_000);
    emit(failed('stt', 'dropped'));
    expect(outcomes).toEqual(['success']);
  });
});

describe('a voice', () => {
  test('that breaks off in a text is at fault', async () => {
    const { outcomes, emit } = await speaking();
    emit(failed('tts', 'dropped'));
    expect(outcomes).toEqual(['success', 'fault']);
  });

  test('that ends an idle connection is not', async () => {
    const { outcomes, emit } = await speaking();
    emit({ kind: 'over', utterance: 'first' });
    emit(failed('tts', 'dropped'));
    expect(outcomes).toEqual(['success']);
  });

  test('that goes silent before the end of a text is at fault', async () => {
    const { clock, outcomes, voice } = await speaking();
    await clock.advance(4_000);
    voice.close();
    expect(outcomes).toEqual(['success', 'fault']);
  });

  test('that is closed after its last text is not', async () => {
    const { clock, outcomes, voice, emit } = await speaking();
    emit({ kind: 'over', utterance: 'first' });
    await clock.advance(60_000);
    voice.close();
    expect(outcomes).toEqual(['success']);
  });
});

describe('a language model', () => {
  test('that breaks off in an answer is at fault', () => {
    const { outcomes, emit } = askModel();
    emit(failed('llm', 'dropped'));
    expect(outcomes).toEqual(['success', 'fault']);
  });

  test('that stalls in an answer is at fault', async () => {
    const { clock, outcomes, generation } = askModel();
    await clock.advance(8_000);
    generation.cancel();
    expect(outcomes).toEqual(['success', 'fault']);
  });

  test('whose answer the callee cuts is not', async () => {
    const { clock, outcomes, generation } = askModel();
    await clock.advance(2_000);
    generation.cancel();
    expect(outcomes).toEqual(['success']);
  });

  test('whose answer does not fit the protocol, or is refused for its content, is not', () => {
    const { outcomes, emit } = askModel();
    emit(failed('llm', 'invalid_response'));
    emit(failed('llm', 'dropped', { blamesRequest: true }));
    expect(outcomes).toEqual(['success']);
  });
});
