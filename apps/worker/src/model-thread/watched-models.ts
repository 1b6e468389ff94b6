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
import { VoiceWork } from './voice-work.ts';

/** As long as a mind waits for the first token of a model, and for sound of a text. */
const SLOW_MS = { token: 3_000, sound: 4_000 } as const;
/** As long as an answer that has begun may pause. */
const STALLED_MS = 8_000;
/** Providers close ears that get no sound, after 10 s. A callee who sends none is no fault of theirs. */
const HEARS_MS = 5_000;

/** Ears that report what their provider does, and take a line first where they are a fallback. */
export function watchedEars(use: ModelUse, clock: Clock, open: OpenSpeechToText): OpenSpeechToText {
  return (listener) => {
    let heardAtMs = clock.monotonicMs();
    const connect = () =>
      open((event) => {
        if (event.kind === 'ready') use.used('success');
        const isIdle = clock.monotonicMs() - heardAtMs > HEARS_MS;
        if (event.kind === 'failed') noteFailure(use, event.failure, { isIdle });
        listener(event);
      });
    const refused = () => listener({ kind: 'failed', failure: withoutLine('stt') });
    const ears = use.isFallback ? new Late({ use, open: connect, refused }) : atOnce(connect());
    return {
      hear(ulaw, fromMs) {
        heardAtMs = clock.monotonicMs();
        ears.do((to) => to.hear(ulaw, fromMs));
      },
      speech: (speech) => ears.do((to) => to.speech?.(speech)),
      get prefersFallback() {
        return ears.opened?.prefersFallback === true;
      },
      get hasTurn() {
        return ears.opened?.hasTurn === true;
      },
      endTurn: () => ears.do((to) => to.endTurn()),
      close: () => ears.close(),
    };
  };
}

/** As a fallback is used, for a first choice, which is open. */
function atOnce<Target extends { close(): void }>(target: Target): Pick<Late<Target>, 'do' | 'opened' | 'close'> {
  return { opened: target, do: (act) => act(target), close: () => target.close() };
}

/** A voice that reports what its provider does: each utterance that sounds, and texts that stay silent or break off. */
export function watchedVoice(use: ModelUse, clock: Clock, open: OpenTextToSpeech): OpenTextToSpeech {
  return (listener) => {
    const work = new VoiceWork(clock);
    let voice: TextToSpeech | null = null;
    const connect = () => {
      voice = open((event) => {
        if (event.kind === 'sound' && work.sounded(event.utterance)) use.used('success');
        if (event.kind === 'over') work.over(event.utterance);
        if (event.kind === 'failed') noteFailure(use, event.failure, { isIdle: work.isIdle });
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
        work.asked(utterance);
        late.do((to) => to.speak(utterance, text));
      },
      finish(utterance) {
        work.finished(utterance);
        late.do((to) => to.finish(utterance));
      },
      cancel(utterance, playedMs) {
        work.over(utterance);
        late.do((to) => to.cancel(utterance, playedMs));
      },
      close() {
        if (work.silentMs >= SLOW_MS.sound) use.used('fault');
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
      const isLate = () => clock.monotonicMs() - sinceMs >= (hasBegun ? STALLED_MS : SLOW_MS.token);
      const begin = () => {
        sinceMs = clock.monotonicMs();
        const generation = model.answer(request, (event) => {
          const isAnswer = event.kind === 'text' || event.kind === 'tool_call' || event.kind === 'over';
          if (isAnswer && !hasBegun) use.used('success');
          hasBegun ||= isAnswer;
          sinceMs = clock.monotonicMs();
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
          if (!isOver && isLate()) use.used('fault');
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
    const refused = () => listener({ kind: 'failed', failure: withoutLine('realtime') });
    const mind = use.isFallback ? new Late({ use, open: connect, refused }) : atOnce(connect());
    // One that waits for its line shows nothing about its provider.
    const outrun = () => {
      if (mind.opened !== null) use.used('fault');
    };
    return { ...forwarded(mind), outrun };
  };
}

function noteMind(use: ModelUse, event: MindEvent): void {
  if (event.kind === 'ready' || (event.kind === 'answer_over' && event.outcome === 'completed')) use.used('success');
  if (event.kind === 'near_limit') use.nearLimit();
  if (event.kind === 'failed' || event.kind === 'answer_failed') noteFailure(use, event.failure);
}

function forwarded(late: Pick<Late<Mind>, 'do' | 'opened' | 'close'>): Mind {
  return {
    hear: (ulaw, fromMs) => late.do((mind) => mind.hear(ulaw, fromMs)),
    calleeSpeech: (speech) => late.do((mind) => mind.calleeSpeech?.(speech)),
    openGate: () => late.do((mind) => mind.openGate()),
    say: (text, how) => late.do((mind) => mind.say(text, how)),
    respond: (hint, how) => late.do((mind) => mind.respond(hint, how)),
    instruct: (text) => late.do((mind) => mind.instruct(text)),
    cut: (input) => late.do((mind) => mind.cut(input)),
    pressed: (digits) => late.do((mind) => mind.pressed(digits)),
    toolResult: (result) => late.do((mind) => mind.toolResult(result)),
    // One that still waits for its line has nothing to report, and is not connected for it.
    async callOver() {
      if (late.opened === null) late.close();
      await late.opened?.callOver();
    },
    close: () => late.close(),
  };
}
