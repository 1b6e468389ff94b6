import type { VoiceAgentEvent, VoiceAgentResult } from '@outdial/calls';
import type { AnsweredBy } from '@outdial/contracts';
import type { Heard, SpokenTurn } from '../hearing/turn-detector.ts';
import { summarize } from './summary.ts';
import { isSameLength } from '../hearing/who-answered.ts';
import { CalleeTurns } from './callee-turns.ts';
import { createTranscript, type AgentSpeech, type CalleeWords } from './transcript.ts';

/** The facts of a conversation so far; each new one is emitted as an event. */
export class ConversationRecord {
  readonly #emit: (event: VoiceAgentEvent) => void;
  readonly #transcript;
  #answeredBy: AnsweredBy | undefined;
  #unknownPromptMs: number | undefined;
  #messageLeft = false;
  #keysSent = '';
  /** Undefined: the callee is not transcribed. */
  readonly #words: CalleeTurns | undefined;

  constructor(emit: (event: VoiceAgentEvent) => void, { awaitsWords = false } = {}) {
    this.#emit = emit;
    this.#transcript = createTranscript((turn) => emit({ kind: 'turn', turn }));
    this.#words = awaitsWords ? new CalleeTurns(this.#transcript) : undefined;
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

  agentSpoke(speech: AgentSpeech): void {
    this.#transcript.addAgentSpeech(speech);
  }

  /** The voicemail message was played completely. */
  leftMessage(): void {
    this.#messageLeft = true;
  }

  calleeSpoke(turn: SpokenTurn): void {
    if (this.#words === undefined) this.#transcript.addCalleeSpeech(turn);
    else this.#words.heard(turn);
    const again = this.#unknownPromptMs !== undefined && isSameLength(turn.endMs - turn.startMs, this.#unknownPromptMs);
    // Only a menu repeats itself.
    if (again && this.#answeredBy === 'unknown') this.decide('ivr');
  }

  /** A provider understood the callee. Only for a record that awaits words. */
  calleeSaid(words: CalleeWords): void {
    this.#words?.said(words);
  }

  /** A frame was heard: turns without words are reported once words are no longer expected. */
  follow(heard: Pick<Heard, 'nowMs' | 'turn' | 'beep' | 'tone'>): void {
    this.#words?.follow(heard);
  }

  calleePressed(digits: string, atMs: number): void {
    this.#transcript.addKeys(digits, atMs);
    // Recordings do not press keys.
    if (this.#answeredBy === undefined || this.#answeredBy === 'unknown') this.decide('human');
  }

  /** The supervisor instructed the model. */
  instructed(text: string, atMs: number): void {
    this.#transcript.addInstruction(text, atMs);
  }

  agentPressed(key: string): void {
    this.#keysSent += key;
    this.#emit({ kind: 'send_digits', digits: key });
  }

  result(): VoiceAgentResult {
    this.#words?.finish();
    const answeredBy = this.#answeredBy ?? 'unknown';
    const transcript = this.#transcript.turns();
    const summary = summarize({ answeredBy, transcript, messageLeft: this.#messageLeft, keysSent: this.#keysSent });
    return { transcript, answeredBy, summary };
  }
}
