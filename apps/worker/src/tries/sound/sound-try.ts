import type { SpeechSynthesizer } from '@outdial/calls';
import type { TryEndReason, TryId } from '@outdial/contracts';
import { unreachable, type Timer } from '@outdial/kernel';
import type { AgentEnd, FromPerson } from '@outdial/queue';
import type { MediaClock } from '@outdial/telephony';
import type { OpenMind } from '../../model-thread/open-mind.ts';
import { SoundConversation, type SoundConversationOptions } from './sound-conversation.ts';

/** What a try by microphone needs beside what each try does. */
export interface SoundDeps {
  readonly end: AgentEnd;
  readonly openMind: OpenMind;
  readonly mediaClock: MediaClock;
  readonly speech: SpeechSynthesizer;
}

export interface SoundTimings {
  /** For the person to connect, once a worker has the try. */
  readonly joinMs: number;
  /** Without the person, before the try ends. */
  readonly awayMs: number;
}

type OfConversation = 'call' | 'tools' | 'meter' | 'clock' | 'logger' | 'report' | 'onUsage' | 'onOver';

export interface SoundTryOptions extends Pick<SoundConversationOptions, OfConversation> {
  readonly tryId: TryId;
  readonly sound: SoundDeps;
  readonly timings: SoundTimings;
  /** The agent speaks. */
  readonly onSpeech: () => void;
}

/** A try by microphone as long as its person is there: no model is asked for anything before, or long after. */
export class SoundTry {
  readonly #options: SoundTryOptions;
  readonly #unfollow: () => void;
  #conversation: SoundConversation | null = null;
  #absence: Timer;
  #closed = false;

  constructor(options: SoundTryOptions) {
    this.#options = options;
    const { sound, tryId, timings } = options;
    this.#absence = this.#loseAfter(timings.joinMs);
    this.#unfollow = sound.end.follow(tryId, (message) => this.#take(message));
  }

  /** Resolves once the usage that is left is counted. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#absence.cancel();
    this.#unfollow();
    await this.#conversation?.close();
  }

  #take(message: FromPerson): void {
    if (this.#closed) return;
    switch (message.kind) {
      case 'present':
        return this.#isPresent();
      case 'sound':
        return this.#conversation?.hear(message.ulaw);
      default:
        return unreachable(message);
    }
  }

  #isPresent(): void {
    const { sound, tryId, timings, logger, onOver } = this.#options;
    this.#absence.cancel();
    this.#absence = this.#loseAfter(timings.awayMs);
    try {
      this.#conversation ??= this.#begin();
    } catch (error) {
      logger.warn({ event: 'try.failed', err: error }, 'a try could not go on');
      return onOver('provider_unavailable');
    }
    sound.end.send(tryId, { kind: 'hears' });
  }

  #begin(): SoundConversation {
    const { sound, tryId, onSpeech, ...options } = this.#options;
    const conversation = new SoundConversation({
      ...options,
      ...sound,
      onSound: (ulaw) => {
        onSpeech();
        return sound.end.send(tryId, { kind: 'sound', ulaw });
      },
      onCleared: () => void sound.end.send(tryId, { kind: 'clear' }),
    });
    conversation.begin();
    return conversation;
  }

  #loseAfter(delayMs: number): Timer {
    return this.#options.clock.after(delayMs, () => this.#options.onOver('connection_lost' satisfies TryEndReason));
  }
}
