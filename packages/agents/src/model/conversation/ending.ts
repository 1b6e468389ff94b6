import { holdsPhrase } from '../barge-in.ts';
import type { Conversation } from './conversation.ts';

/** A callee who speaks for this long over a closing wants to go on. */
const WANTS_TO_GO_ON_MS = 300;

/** When a conversation ends, and its last words. A callee who speaks over them makes it go on, once. */
export class Ending {
  readonly #conversation: Conversation;
  #isSpokenOver = false;
  #isCanceled = false;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  get mayBeCanceled(): boolean {
    return !this.#isCanceled;
  }

  /** Call it once a frame. */
  follow(): void {
    if (this.#conversation.over.speechOverMs >= WANTS_TO_GO_ON_MS) this.#isSpokenOver = true;
  }

  /** An answer of the mind was played. */
  afterAnswer(words: string): void {
    const { phase, settings, voice } = this.#conversation;
    if (phase.name !== 'talking') return;
    if (settings.end_call.phrases.some((phrase) => holdsPhrase(words, phrase))) {
      this.#conversation.enter({ name: 'ending' });
    } else if (settings.max_turns !== undefined && voice.answers >= settings.max_turns) {
      this.#close({ alwaysSays: true });
    }
  }

  /** The model ends the call: what it has just said may do as a closing. */
  onEndCall(): void {
    this.#close({ alwaysSays: false });
  }

  /** The callee interrupts. */
  onCut(): void {
    this.#conversation.breakOff();
    if (this.#conversation.phase.name === 'ending') this.#cancel();
  }

  afterClosing(): void {
    if (this.#isSpokenOver && !this.#isCanceled) return this.#cancel();
    this.#conversation.enter({ name: 'parting', sinceMs: this.#conversation.nowMs, reason: 'agent_hangup' });
  }

  #close({ alwaysSays }: { readonly alwaysSays: boolean }): void {
    const { texts, voice } = this.#conversation;
    const hasSpoken = voice.playing || this.#conversation.agentSpokeLast();
    if (texts.closing === null || (!alwaysSays && hasSpoken)) return this.#conversation.enter({ name: 'ending' });
    this.#isSpokenOver = false;
    this.#conversation.sayLine('closing', texts.closing);
  }

  #cancel(): void {
    this.#isCanceled = true;
    this.#conversation.enter({ name: 'talking' });
  }
}
