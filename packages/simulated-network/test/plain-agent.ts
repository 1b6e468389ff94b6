import type { VoiceAgent, VoiceAgentEvent, VoiceAgentFactory, VoiceAgentResult } from '@outdial/calls';
import { unreachable } from '@outdial/kernel';
import { frameAt, isLoud, tone } from '@outdial/telephony/testing';

/** What an agent does next. */
export type Move =
  | { readonly kind: 'say'; readonly ms: number }
  /** Waits until the callee has spoken and then been silent for `quietMs`. */
  | { readonly kind: 'await_turn'; readonly quietMs: number }
  /** Ends with `silence_timeout` if the callee says nothing for `ms`. */
  | { readonly kind: 'await_any'; readonly ms: number }
  | { readonly kind: 'await_key' }
  | { readonly kind: 'press'; readonly digits: string }
  | { readonly kind: 'hang_up'; readonly reason: Extract<VoiceAgentEvent, { kind: 'hang_up' }>['reason'] };

/** An agent that makes its moves in order, speaks in tones of 600 Hz and stops when the callee talks over it. */
class PlainAgent implements VoiceAgent {
  readonly #moves: Move[];
  readonly heardDigits: string[] = [];
  #listener: (event: VoiceAgentEvent) => void = () => undefined;
  #frames = 0;
  #moveFrames = 0;
  #calleeLoudFrames = 0;
  #calleeQuietFrames = 0;
  #calleeSpoke = false;
  #speech: Int16Array | undefined;
  #turns: VoiceAgentResult['transcript'][number][] = [];

  constructor(moves: readonly Move[]) {
    this.#moves = [...moves];
  }

  listen(listener: (event: VoiceAgentEvent) => void): void {
    this.#listener = listener;
  }

  hearDigits(digits: string): void {
    this.heardDigits.push(digits);
  }

  setOnHold(): void {}

  hear(frame: Int16Array): void {
    this.#frames += 1;
    const loud = isLoud(frame);
    this.#calleeLoudFrames = loud ? this.#calleeLoudFrames + 1 : 0;
    this.#calleeQuietFrames = loud ? 0 : this.#calleeQuietFrames + 1;
    if (this.#calleeLoudFrames >= 3) this.#calleeSpoke = true;
  }

  speak(): Int16Array | undefined {
    const move = this.#moves[0];
    if (!move) return undefined;
    const atFrame = this.#moveFrames;
    this.#moveFrames += 1;
    switch (move.kind) {
      case 'say':
        return this.#say(move.ms, atFrame);
      case 'await_turn':
        if (this.#calleeSpoke && this.#calleeQuietFrames * 20 >= move.quietMs) this.#advance();
        return undefined;
      case 'await_any':
        if (this.#calleeSpoke) this.#advance();
        else if (atFrame * 20 >= move.ms) this.#hangUp('silence_timeout');
        return undefined;
      case 'await_key':
        if (this.heardDigits.length > 0) this.#advance();
        return undefined;
      case 'press':
        this.#listener({ kind: 'send_digits', digits: move.digits });
        this.#advance();
        return undefined;
      case 'hang_up':
        this.#hangUp(move.reason);
        return undefined;
      default:
        return unreachable(move);
    }
  }

  finish(): VoiceAgentResult {
    return { transcript: this.#turns, answeredBy: 'unknown', summary: `${this.#frames * 20} ms heard` };
  }

  #say(ms: number, atFrame: number): Int16Array | undefined {
    this.#speech ??= tone(600, ms);
    const interrupted = this.#calleeLoudFrames >= 10;
    const frame = interrupted ? undefined : frameAt(this.#speech, atFrame);
    if (frame) return frame;
    this.#endTurn(atFrame, interrupted);
    return undefined;
  }

  #endTurn(frames: number, interrupted: boolean): void {
    const end_ms = this.#frames * 20;
    const turn = { role: 'agent', text: 'tone', start_ms: end_ms - frames * 20, end_ms, source: 'script' } as const;
    this.#turns.push({ ...turn, interrupted });
    if (interrupted) this.#listener({ kind: 'interrupted', atMs: end_ms });
    this.#advance();
  }

  #hangUp(reason: Extract<VoiceAgentEvent, { kind: 'hang_up' }>['reason']): void {
    this.#moves.length = 0;
    this.#listener({ kind: 'hang_up', reason });
  }

  #advance(): void {
    this.#moves.shift();
    this.#moveFrames = 0;
    this.#speech = undefined;
    this.#calleeSpoke = false;
  }
}

export function plainAgents(moves: readonly Move[]): VoiceAgentFactory {
  return { prepare: () => Promise.resolve(new PlainAgent(moves)) };
}

/** The moves of an agent that calls a person: hears the greeting, says two things and a farewell. */
export const TALK: readonly Move[] = [
  { kind: 'await_turn', quietMs: 400 },
  { kind: 'say', ms: 2_000 },
  { kind: 'await_turn', quietMs: 400 },
  { kind: 'say', ms: 2_000 },
  { kind: 'await_turn', quietMs: 400 },
  { kind: 'say', ms: 800 },
  { kind: 'await_turn', quietMs: 400 },
  { kind: 'hang_up', reason: 'agent_hangup' },
];
