import { instructedBy } from '../../instructions.ts';
import type { HistoryItem } from '../../mind.ts';
import type { RealtimeDialect } from './dialects/dialect.ts';
import type { OpenAiRealtimeSettings, TurnEnds } from './settings.ts';

export interface SessionSettingsInput {
  readonly dialect: RealtimeDialect;
  readonly settings: OpenAiRealtimeSettings;
  /** Of an earlier connection of this call. */
  readonly history: readonly HistoryItem[];
  readonly send: (event: Readonly<Record<string, unknown>>) => void;
  /** What was asked for has not begun. */
  readonly isAsked: () => boolean;
}

/** The settings of one session, and what changes in them during the call: whether turns are answered, and the instructions. */
export class SessionSettings {
  readonly #input: SessionSettingsInput;
  /** Of the supervisor, where they are no items of the conversation. */
  readonly #instructed: HistoryItem[];
  #isGateOpen = false;
  #turnEnds: TurnEnds = 'unanswered';

  constructor(input: SessionSettingsInput) {
    this.#input = input;
    this.#instructed = input.history.filter((item) => this.holds(item));
  }

  get isGateOpen(): boolean {
    return this.#isGateOpen;
  }

  /** Those of the agent, and what the supervisor added. */
  get instructions(): string {
    return instructedBy(this.#input.settings.instructions, this.#instructed);
  }

  /** Whether an item belongs into the session, and not into the conversation. */
  holds({ kind }: HistoryItem): boolean {
    return kind === 'instruction' && this.#input.dialect.instructed !== null;
  }

  /** Of a connection that begins. */
  send(): void {
    const { dialect, settings, send, isAsked } = this.#input;
    if (this.#isGateOpen && !isAsked()) this.#turnEnds = 'answered';
    send({ type: 'session.update', session: dialect.session(settings, this.#turnEnds) });
  }

  openGate(): void {
    this.#isGateOpen = true;
  }

  /**
   * The provider may answer the callee by itself. Not before what was asked for has begun: after a slow connection, the
   * callee would hear an answer to its greeting, and then the opening as well.
   */
  answerTurns(): void {
    if (this.#isGateOpen && this.#turnEnds === 'unanswered' && !this.#input.isAsked()) this.#sendTurnEnds('answered');
  }

  /** Turns end by our word, without an answer. */
  endTurnsOurselves(): void {
    this.#sendTurnEnds('off');
  }

  add(instruction: HistoryItem): void {
    this.#instructed.push(instruction);
  }

  sendInstructions(): void {
    const { instructed } = this.#input.dialect;
    if (instructed === null || this.#instructed.length === 0) return;
    this.#input.send({ type: 'session.update', session: instructed(this.instructions) });
  }

  #sendTurnEnds(turns: TurnEnds): void {
    const { dialect, settings, send } = this.#input;
    this.#turnEnds = turns;
    send({ type: 'session.update', session: dialect.turnEnds(settings, turns) });
  }
}
