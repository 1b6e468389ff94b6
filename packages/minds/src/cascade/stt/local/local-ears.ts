import { unreachable } from '@outdial/kernel';
import type { CalleeSpeech, ProviderFailure } from '../../../mind.ts';
import { LocalServer, type LocalAccess } from '../../local/local-server.ts';
import type { OpenSpeechToText, SpeechToText, SpeechToTextEvent } from '../speech-to-text.ts';
import { Transcriber, type Transcription } from './transcriber.ts';
import type { TranscriptionFields } from './transcription-request.ts';
import { TurnSound } from './turn-sound.ts';

export interface LocalEarsSettings extends TranscriptionFields {
  /** What ends a turn: so much silence, by the ear. It reports pauses of 200 ms and more. */
  readonly silenceMs: number;
  /** A shorter silence, after which the turn is transcribed in advance. Null: it never is. */
  readonly eagerSilenceMs: number | null;
}

/** A sentence begins softly, before the ear takes it for speech. */
const LEAD_MS = 300;
/** Until the ear has reported that speech began. */
const KEPT_MS = 1_000;
/** As long as a barge-in takes to be certain: a shorter sound is speech only if words come of it. */
const CERTAIN_MS = 300;
const HEARING_EVERY_MS = 1_000;
/** Models of speech hear 30 s at a time. */
const MAX_PART_MS = 28_000;

interface Turn {
  readonly startMs: number;
  /** Where the part begins that is not transcribed yet. */
  partFromMs: number;
  /** End of the last speech; null while the callee speaks. */
  quietSinceMs: number | null;
  isAnnounced: boolean;
  hearingAtMs: number;
  readonly parts: Transcription[];
  /** Of the last part, made in advance. */
  guess: { readonly transcription: Transcription; isReported: boolean } | null;
}

/** A turn that is over, whose words may still come. */
interface Ended {
  readonly startMs: number;
  readonly endMs: number;
  readonly isAnnounced: boolean;
  words: string | null;
}

/**
 * `POST /audio/transcriptions` of a server with OpenAI's interface (API reference, "Create transcription"), for each turn that
 * the ear of the call hears. Time is that of the sound: the same sound gives the same turns at any speed.
 */
export function localEars(access: LocalAccess, settings: LocalEarsSettings): OpenSpeechToText {
  return (listener) => new LocalEars(access, settings, listener);
}

class LocalEars implements SpeechToText {
  readonly prefersFallback = true;
  readonly #settings: LocalEarsSettings;
  readonly #listener: (event: SpeechToTextEvent) => void;
  readonly #server: LocalServer;
  readonly #transcriber: Transcriber;
  readonly #closed = new AbortController();
  readonly #sound = new TurnSound();
  #turn: Turn | null = null;
  readonly #ended: Ended[] = [];

  constructor(access: LocalAccess, settings: LocalEarsSettings, listener: (event: SpeechToTextEvent) => void) {
    this.#settings = settings;
    this.#listener = listener;
    this.#server = new LocalServer(access, 'stt');
    this.#transcriber = new Transcriber({
      server: this.#server,
      fields: settings,
      clock: access.clock,
      usage: (entries) => listener({ kind: 'usage', entries }),
      failed: (failure) => this.#fail(failure),
    });
    void this.#check();
  }

  get hasTurn(): boolean {
    return this.#turn !== null || this.#ended.length > 0;
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#closed.signal.aborted) return;
    this.#sound.add(ulaw, fromMs);
    if (this.#turn === null) this.#sound.dropUntil(this.#sound.endMs - KEPT_MS);
    else this.#follow(this.#turn);
  }

  speech({ kind, atMs }: CalleeSpeech): void {
    if (this.#closed.signal.aborted) return;
    switch (kind) {
      case 'began':
      case 'resumed':
        if (this.#turn === null) this.#begin(atMs);
        else this.#goOn(this.#turn);
        return;
      case 'paused':
        // The beginning was heard by the server before this one.
        this.#turn ??= this.#begin(this.#sound.fromMs);
        this.#turn.quietSinceMs = atMs;
        return this.#follow(this.#turn);
      case 'ended':
        if (this.#turn === null) return;
        this.#turn.quietSinceMs ??= Math.min(atMs, this.#sound.endMs);
        return this.#follow(this.#turn);
      default:
        return unreachable(kind);
    }
  }

  endTurn(): void {
    const turn = this.#turn;
    if (turn === null || this.#closed.signal.aborted) return;
    turn.quietSinceMs ??= this.#sound.endMs;
    this.#end(turn, turn.quietSinceMs);
  }

  close(): void {
    this.#closed.abort();
    this.#transcriber.close();
  }

  async #check(): Promise<void> {
    const failure = await this.#server.check(this.#closed.signal);
    if (this.#closed.signal.aborted) return;
    if (failure === null) this.#listener({ kind: 'ready' });
    else this.#fail(failure);
  }

  #begin(startMs: number): Turn {
    this.#turn = {
      startMs,
      partFromMs: startMs - LEAD_MS,
      quietSinceMs: null,
      isAnnounced: false,
      hearingAtMs: startMs,
      parts: [],
      guess: null,
    };
    return this.#turn;
  }

  #goOn(turn: Turn): void {
    turn.quietSinceMs = null;
    const { guess } = turn;
    turn.guess = null;
    guess?.transcription.cancel();
    if (guess?.isReported === true) this.#listener({ kind: 'resumed' });
  }

  /** Call it whenever more was heard of the turn. */
  #follow(turn: Turn): void {
    const nowMs = this.#sound.endMs;
    if (turn.quietSinceMs === null) return this.#followSpeech(turn, nowMs);
    const quietMs = nowMs - turn.quietSinceMs;
    const { silenceMs, eagerSilenceMs } = this.#settings;
    if (quietMs >= silenceMs) return this.#end(turn, turn.quietSinceMs);
    if (eagerSilenceMs !== null && quietMs >= eagerSilenceMs && turn.guess === null) this.#guess(turn);
  }

  #followSpeech(turn: Turn, nowMs: number): void {
    if (!turn.isAnnounced && nowMs - turn.startMs >= CERTAIN_MS) {
      turn.isAnnounced = true;
      this.#listener({ kind: 'speaking', atMs: turn.startMs });
    }
    if (nowMs - turn.hearingAtMs >= HEARING_EVERY_MS) {
      turn.hearingAtMs = nowMs;
      // No words come before the end: that is how this works, and no deafness.
      this.#listener({ kind: 'hearing' });
    }
    if (nowMs - turn.partFromMs < MAX_PART_MS) return;
    turn.parts.push(this.#transcribe(turn));
    turn.partFromMs = nowMs;
    this.#sound.dropUntil(nowMs);
  }

  #transcribe({ partFromMs }: Turn): Transcription {
    return this.#transcriber.transcribe(this.#sound.between(partFromMs, this.#sound.endMs));
  }

  #guess(turn: Turn): void {
    const guess = { transcription: this.#transcribe(turn), isReported: false };
    turn.guess = guess;
    void this.#reportGuess(turn, guess);
  }

  async #reportGuess(turn: Turn, guess: NonNullable<Turn['guess']>): Promise<void> {
    const text = await wordsOf([...turn.parts, guess.transcription]);
    if (text === null || text === '' || this.#turn !== turn || turn.guess !== guess) return;
    guess.isReported = true;
    this.#listener({ kind: 'likely_over', text });
  }

  #end(turn: Turn, endMs: number): void {
    this.#turn = null;
    const { startMs, isAnnounced, guess, parts } = turn;
    const ended: Ended = { startMs, endMs: Math.max(startMs, endMs), isAnnounced, words: null };
    this.#ended.push(ended);
    const last = guess?.transcription ?? this.#transcribe(turn);
    this.#sound.dropUntil(Math.max(endMs, this.#sound.endMs - KEPT_MS));
    void this.#await(ended, [...parts, last]);
  }

  async #await(ended: Ended, parts: readonly Transcription[]): Promise<void> {
    ended.words = await wordsOf(parts);
    this.#report();
  }

  /** In order, also if a short turn is understood before a long one. */
  #report(): void {
    for (let ended = this.#ended[0]; ended !== undefined && ended.words !== null; ended = this.#ended[0]) {
      if (this.#closed.signal.aborted) return;
      this.#ended.shift();
      const { startMs, endMs, words, isAnnounced } = ended;
      const text = words === '' ? null : words;
      if (text !== null && !isAnnounced) this.#listener({ kind: 'speaking', atMs: startMs });
      this.#listener({ kind: 'turn', text, startMs, endMs });
    }
  }

  #fail(failure: ProviderFailure): void {
    if (this.#closed.signal.aborted) return;
    this.close();
    this.#listener({ kind: 'failed', failure });
  }
}

/** Null if a part was given up. */
async function wordsOf(parts: readonly Transcription[]): Promise<string | null> {
  const texts = await Promise.all(parts.map(({ text }) => text));
  return texts.includes(null) ? null : texts.filter((text) => text !== '').join(' ');
}
