import type { Clock } from '@outdial/kernel';
import type {
  LanguageModel,
  Mind,
  MindEvent,
  OpenConnection,
  OpenSpeechToText,
  OpenTextToSpeech,
  TextToSpeech,
} from '@outdial/minds';
import { Late } from './late.ts';
import { noteFailure, withoutLine, type ModelUse } from './model-use.ts';

/** As long as a mind waits for the first token of a model, and for sound of a text. */
const SLOW_MS = { token: 3_000, sound: 4_000 } as const;

/** Ears that report what their provider does, and take a line first where they are a fallback. */
export function watchedEars(use: ModelUse, open: OpenSpeechToText): OpenSpeechToText {
  return (listener) => {
    const connect = () =>
      open((event) => {
        if (event.kind === 'ready') use.used('success');
        if (event.kind === 'failed') noteFailure(use, event.failure);
        listener(event);
      });
    if (!use.isFallback) return connect();
    const late = new Late({
      use,
      open: connect,
      refused: () => listener({ kind: 'failed', failure: withoutLine('stt') }),
    });
    return {
      hear: (ulaw, fromMs) => late.do((ears) => ears.hear(ulaw, fromMs)),
      endTurn: () => late.do((ears) => ears.endTurn()),
      close: () => late.close(),
    };
  };
}

/** A voice that reports what its provider does: each utterance that sounds, and texts that stay silent. */
export function watchedVoice(use: ModelUse, clock: Clock, open: OpenTextToSpeech): OpenTextToSpeech {
  return (listener) => {
    let [awaitsSoundSinceMs, sounded]: [number | null, string | null] = [null, null];
    let voice: TextToSpeech | null = null;
    const connect = () => {
      voice = open((event) => {
        if (event.kind === 'sound') {
          if (sounded !== event.utterance) use.used('success');
          [awaitsSoundSinceMs, sounded] = [null, event.utterance];
        }
        if (event.kind === 'failed') noteFailure(use, event.failure);
        listener(event);
      });
      return voice;
    };
    const refused = () => listener({ kind: 'failed', failure: withoutLine('tts') });
    const late = new Late({ use, open: connect, refused });
    return {
      get tellsTimes() {
        return voice?.tellsTimes === true;
      },
      speak(utterance, text) {
        if (utterance !== sounded) awaitsSoundSinceMs ??= clock.monotonicMs();
        late.do((to) => to.speak(utterance, text));
      },
      finish: (utterance) => late.do((to) => to.finish(utterance)),
      cancel(utterance, playedMs) {
        awaitsSoundSinceMs = null;
        late.do((to) => to.cancel(utterance, playedMs));
      },
      close() {
        const isSilent = awaitsSoundSinceMs !== null && clock.monotonicMs() - awaitsSoundSinceMs >= SLOW_MS.sound;
        if (isSilent) use.used('fault');
        late.close();
      },
    };
  };
}

/** A language model that reports what its provider does: each answer that begins, and those that are given up. */
export function watchedLanguageModel(use: ModelUse, clock: Clock, model: LanguageModel): LanguageModel {
  const { check } = model;
  return {
    ...(check && {
      async check(signal) {
        if (!(await use.mayUse())) return withoutLine('llm');
        const failure = await check(signal);
        // That it lists its models shows nothing about their answers.
        if (failure !== null) noteFailure(use, failure);
        return failure;
      },
    }),
    answer(request, listener) {
      let [hasBegun, isOver, sinceMs] = [false, false, clock.monotonicMs()];
      const begin = () => {
        sinceMs = clock.monotonicMs();
        const generation = model.answer(request, (event) => {
          const isAnswer = event.kind === 'text' || event.kind === 'tool_call' || event.kind === 'over';
          if (isAnswer && !hasBegun) use.used('success');
          hasBegun ||= isAnswer;
          isOver ||= event.kind === 'over' || event.kind === 'failed';
          if (event.kind === 'failed') noteFailure(use, event.failure);
          listener(event);
        });
        return { close: () => generation.cancel() };
      };
      const generation = use.isFallback
        ? new Late({ use, open: begin, refused: () => listener({ kind: 'failed', failure: withoutLine('llm') }) })
        : begin();
      return {
        cancel() {
          if (!hasBegun && !isOver && clock.monotonicMs() - sinceMs >= SLOW_MS.token) use.used('fault');
          isOver = true;
          generation.close();
        },
      };
    },
  };
}

/** A connection of a speech-to-speech mind that reports what its provider does. */
export function watchedConnection(use: ModelUse, open: OpenConnection): OpenConnection {
  return ({ history, listener }) => {
    const connect = () =>
      open({
        history,
        listener: (event) => {
          noteMind(use, event);
          listener(event);
        },
      });
    if (!use.isFallback) return connect();
    const refused = () => listener({ kind: 'failed', failure: withoutLine('realtime') });
    return lateMind(new Late({ use, open: connect, refused }));
  };
}

function noteMind(use: ModelUse, event: MindEvent): void {
  if (event.kind === 'ready' || (event.kind === 'answer_over' && event.outcome === 'completed')) use.used('success');
  if (event.kind === 'failed' || event.kind === 'answer_failed') noteFailure(use, event.failure);
}

function lateMind(late: Late<Mind>): Mind {
  return {
    hear: (ulaw, fromMs) => late.do((mind) => mind.hear(ulaw, fromMs)),
    calleeSpeech: (speech) => late.do((mind) => mind.calleeSpeech?.(speech)),
    openGate: () => late.do((mind) => mind.openGate()),
    say: (text) => late.do((mind) => mind.say(text)),
    respond: (hint) => late.do((mind) => mind.respond(hint)),
    cut: (input) => late.do((mind) => mind.cut(input)),
    pressed: (digits) => late.do((mind) => mind.pressed(digits)),
    toolResult: (result) => late.do((mind) => mind.toolResult(result)),
    callOver: () => new Promise((resolve) => late.do((mind) => void mind.callOver().then(resolve))),
    close: () => late.close(),
  };
}
