import type { GenerationLimit } from '@outdial/calls';
import type { OpenTextToSpeech, ProviderFailure, TextToSpeech } from '@outdial/minds';
import type { Generations } from './generations.ts';

export interface LimitedVoiceOptions {
  readonly generations: Generations;
  /** Null: without a limit. */
  readonly limit: GenerationLimit | null;
  /** Another voice takes over from one that has no place. Without it the same is asked again, once. */
  readonly hasNext: boolean;
}

/** A text that is spoken, or that waits for its place. */
interface Spoken {
  readonly utterance: string;
  readonly end: () => void;
  /** What was asked for while it waits; null once it has its place. */
  waiting: (() => void)[] | null;
}

/** Longer than a mind waits before it asks the same provider again. */
const NOT_SOON_MS = 60_000;

/** A voice that speaks a text once its credential has a place for it. Its provider learns nothing of a text that waits. */
export function limitedVoice(
  { generations, limit, hasNext }: LimitedVoiceOptions,
  open: OpenTextToSpeech,
): OpenTextToSpeech {
  return limit === null ? open : withPlaces({ generations, limit, hasNext }, open);
}

function withPlaces(
  { generations, limit, hasNext }: LimitedVoiceOptions & { readonly limit: GenerationLimit },
  open: OpenTextToSpeech,
): OpenTextToSpeech {
  return (listener) => {
    let spoken: Spoken | null = null;
    let isOver = false;
    const voice: TextToSpeech = open((event) => {
      if (event.kind === 'failed' || (event.kind === 'over' && event.utterance === spoken?.utterance)) end();
      listener(event);
    });

    function end(): void {
      spoken?.end();
      spoken = null;
    }
    function refuse(): void {
      if (isOver) return;
      isOver = true;
      spoken = null;
      voice.close();
      listener({ kind: 'failed', failure: withoutPlace(hasNext) });
    }
    function begin(utterance: string): Spoken {
      const begun: Spoken = {
        utterance,
        waiting: [],
        end: generations.start(limit, {
          begin() {
            const asked = begun.waiting ?? [];
            begun.waiting = null;
            for (const act of asked) act();
          },
          refused: refuse,
        }),
      };
      return begun;
    }
    function ask(utterance: string, act: () => void): void {
      if (isOver) return;
      if (spoken?.utterance !== utterance) {
        end();
        spoken = begin(utterance);
      }
      if (spoken.waiting === null) act();
      else spoken.waiting.push(act);
    }

    return {
      get tellsTimes() {
        return voice.tellsTimes;
      },
      speak: (utterance, text) => ask(utterance, () => voice.speak(utterance, text)),
      finish: (utterance) => ask(utterance, () => voice.finish(utterance)),
      cancel(utterance, playedMs) {
        const isKnown = spoken?.utterance !== utterance || spoken.waiting === null;
        if (spoken?.utterance === utterance) end();
        if (isKnown) voice.cancel(utterance, playedMs);
      },
      close() {
        isOver = true;
        end();
        voice.close();
      },
    };
  };
}

function withoutPlace(hasNext: boolean): ProviderFailure {
  const message = 'too many texts are spoken with this credential';
  return { component: 'tts', kind: 'rate_limited', message, retryAfterMs: hasNext ? NOT_SOON_MS : 0 };
}
