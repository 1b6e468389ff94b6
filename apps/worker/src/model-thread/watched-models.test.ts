import type { ModelOutcome } from '@outdial/calls';
import type {
  LanguageModelEvent,
  ProviderFailure,
  ProviderFailureKind,
  SpeechToTextEvent,
  TextToSpeechEvent,
} from '@outdial/minds';
import { fakeClock } from '@outdial/testkit';
import { describe, expect, test } from 'vitest';
import type { ModelUse } from './model-use.ts';
import { watchedConnection, watchedEars, watchedLanguageModel, watchedVoice } from './watched-models.ts';

const SOUND = new Uint8Array(320);

function stage() {
  const clock = fakeClock();
  const outcomes: ModelOutcome[] = [];
  const use: ModelUse = {
    isFallback: false,
    used: (outcome) => void outcomes.push(outcome),
    mayUse: async () => true,
  };
  return { clock, outcomes, use };
}

function failed(component: ProviderFailure['component'], kind: ProviderFailureKind, details: object = {}) {
  const failure: ProviderFailure = { component, kind, message: 'it failed', retryAfterMs: null, ...details };
  return { kind: 'failed', failure } as const;
}

describe('a realtime provider', () => {
  function open() {
    const { outcomes, use } = stage();
    let emit: Parameters<ReturnType<typeof watchedConnection>>[0]['listener'] = () => undefined;
    watchedConnection(use, ({ listener }) => {
      emit = listener;
      const nothing = () => undefined;
      return {
        hear: nothing,
        openGate: nothing,
        say: nothing,
        respond: nothing,
        cut: nothing,
        pressed: nothing,
        toolResult: nothing,
        close: nothing,
      };
    })({ history: [], listener: () => undefined });
    return { outcomes, emit };
  }

  test('that loses the connection in a call is at fault', () => {
    const { outcomes, emit } = open();
    emit({ kind: 'ready' });
    emit(failed('realtime', 'dropped'));
    expect(outcomes).toEqual(['success', 'fault']);
  });

  test('that ends a call for what it was sent is not', () => {
    const { outcomes, emit } = open();
    emit({ kind: 'ready' });
    emit({ ...failed('realtime', 'unreachable', { blamesRequest: true }), kind: 'answer_failed' });
    emit(failed('realtime', 'dropped', { blamesRequest: true }));
    expect(outcomes).toEqual(['success']);
  });
});

describe('ears', () => {
  function open() {
    const { clock, outcomes, use } = stage();
    let emit: (event: SpeechToTextEvent) => void = () => undefined;
    const ears = watchedEars(use, clock, (listener) => {
      emit = listener;
      return { hear: () => undefined, close: () => undefined };
    })(() => undefined);
    ears.hear(SOUND, 0);
    emit({ kind: 'ready' });
    return { clock, outcomes, ears, emit };
  }

  test('that go while the callee is heard are at fault', async () => {
    const { clock, outcomes, ears, emit } = open();
    await clock.advance(60_000);
    ears.hear(SOUND, 60_000);
    emit(failed('stt', 'dropped'));
    expect(outcomes).toEqual(['success', 'fault']);
  });

  test('that go since the callee sends no sound are not', async () => {
    const { clock, outcomes, emit } = open();
    await clock.advance(10_000);
    emit(failed('stt', 'dropped'));
    expect(outcomes).toEqual(['success']);
  });
});

describe('a voice', () => {
  function open() {
    const { clock, outcomes, use } = stage();
    let emit: (event: TextToSpeechEvent) => void = () => undefined;
    const nothing = () => undefined;
    const voice = watchedVoice(use, clock, (listener) => {
      emit = listener;
      return { tellsTimes: false, speak: nothing, finish: nothing, cancel: nothing, close: nothing };
    })(() => undefined);
    return { clock, outcomes, voice, emit: (event: TextToSpeechEvent) => emit(event) };
  }
  /** A voice is opened once its line is known. */
  async function speaking() {
    const opened = open();
    opened.voice.speak('first', 'Hello.');
    await Promise.resolve();
    opened.voice.finish('first');
    opened.emit({ kind: 'sound', utterance: 'first', ulaw: SOUND });
    return opened;
  }

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

describe('a language model', async () => {
  function ask() {
    const { clock, outcomes, use } = stage();
    let emit: (event: LanguageModelEvent) => void = () => undefined;
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

  test('that breaks off in an answer is at fault', () => {
    const { outcomes, emit } = ask();
    emit(failed('llm', 'dropped'));
    expect(outcomes).toEqual(['success', 'fault']);
  });

  test('that stalls in an answer is at fault', async () => {
    const { clock, outcomes, generation } = ask();
    await clock.advance(8_000);
    generation.cancel();
    expect(outcomes).toEqual(['success', 'fault']);
  });

  test('whose answer the callee cuts is not', async () => {
    const { clock, outcomes, generation } = ask();
    await clock.advance(2_000);
    generation.cancel();
    expect(outcomes).toEqual(['success']);
  });

  test('whose answer does not fit the protocol, or is refused for its content, is not', () => {
    const { outcomes, emit } = ask();
    emit(failed('llm', 'invalid_response'));
    emit(failed('llm', 'dropped', { blamesRequest: true }));
    expect(outcomes).toEqual(['success']);
  });
});
