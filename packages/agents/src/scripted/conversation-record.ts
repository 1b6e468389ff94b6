import type { VoiceAgentEvent, VoiceAgentResult } from '@outdial/calls';
import type { AnsweredBy } from '@outdial/contracts';
import type { SpokenTurn } from '../hearing/turn-detector.ts';
import type { Utterance } from './line-player.ts';
import { summarize } from './summary.ts';
import { createTranscript } from './transcript.ts';
import { isSameLength } from './who-answered.ts';

/** The facts of a conversation so far; each new one is emitted as an event. */
export class ConversationRecord {
  readonly #emit: (event: VoiceAgentEvent) => void;
  readonly #transcript;
  #answeredBy: AnsweredBy | undefined;
  #unknownPromptMs: number | undefined;
  #messageLeft = false;
  #keysSent = '';

  constructor(emit: (event: VoiceAgentEvent) => void) {
    this.#emit = emit;
    this.#transcript = createTranscript((turn) => emit({ kind: 'turn', turn }));
  }

  get answeredBy(): AnsweredBy | undefined {
    return this.#answeredBy;
  }

  /** The latest decision holds: a beep, for example, reveals that a person was a recording. */
  decide(answeredBy: AnsweredBy): void {
    if (this.#answeredBy === answeredBy) return;
    this.#answeredBy = answeredBy;
    this.#emit({ kind: 'answered_by', answeredBy });
  }

  /** A recording of this length gave no sign of its kind. */
  decideUnknown(promptMs: number): void {
    this.#unknownPromptMs = promptMs;
    this.decide('unknown');
  }

  agentSpoke(utterance: Utterance): void {
    this.#transcript.addAgentSpeech(utterance);
    if (utterance.line.purpose === 'voicemail' && utterance.playedShare === 1) this.#messageLeft = true;
  }

  calleeSpoke(turn: SpokenTurn): void {
    this.#transcript.addCalleeSpeech(turn);
    const again = this.#unknownPromptMs !== undefined && isSameLength(turn.endMs - turn.startMs, this.#unknownPromptMs);
    // Only a menu repeats itself.
    if (again && this.#answeredBy === 'unknown') this.decide('ivr');
  }

  calleePressed(digits: string, atMs: number): void {
    this.#transcript.addKeys(digits, atMs);
    // Recordings do not press keys.
    if (this.#answeredBy === undefined || this.#answeredBy === 'unknown') this.decide('human');
  }

  agentPressed(key: string): void {
    this.#keysSent += key;
    this.#emit({ kind: 'send_digits', digits: key });
  }

  result(): VoiceAgentResult {
    const answeredBy = this.#answeredBy ?? 'unknown';
    const transcript = this.#transcript.turns();
    const summary = summarize({ answeredBy, transcript, messageLeft: this.#messageLeft, keysSent: this.#keysSent });
    return { transcript, answeredBy, summary };
  }
}
