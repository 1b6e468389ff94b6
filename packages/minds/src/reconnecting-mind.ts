import type { Clock } from '@outdial/kernel';
import { History } from './history.ts';
import { HeldBackSound } from './realtime/held-back-sound.ts';
import type { HistoryItem, Mind, MindEvent, ProviderFailure } from './mind.ts';

export interface ReconnectingMindInput {
  readonly open: (input: {
    readonly history: readonly HistoryItem[];
    readonly listener: (event: MindEvent) => void;
  }) => Mind;
  readonly listener: (event: MindEvent) => void;
  readonly clock: Clock;
  /** Of one call. Default: 2. */
  readonly maxReconnects?: number;
}

/**
 * A mind that survives its connection. A lost one is replaced, with everything that was said. Sound that the lost one may
 * not have understood is sent again, and requests of the time in between reach the new one. An answer that was under way is asked for again: its sound is played until then.
 */
export function openReconnectingMind(input: ReconnectingMindInput): Mind {
  return new ReconnectingMind(input);
}

class ReconnectingMind implements Mind {
  readonly #input: ReconnectingMindInput;
  readonly #history = new History();
  /** What was heard since the end of the last turn that was understood. */
  readonly #notUnderstood = new HeldBackSound();
  #mind: Mind;
  #connection = 0;
  #gateOpen = false;
  #closed = false;
  #wasReady = false;
  #lost: { readonly failure: ProviderFailure; readonly atMs: number } | null = null;

  constructor(input: ReconnectingMindInput) {
    this.#input = input;
    this.#mind = this.#open();
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    this.#notUnderstood.add({ ulaw, fromMs });
    this.#mind.hear(ulaw, fromMs);
  }

  openGate(): void {
    this.#gateOpen = true;
    this.#mind.openGate();
  }

  say(text: string): void {
    this.#history.asked();
    this.#mind.say(text);
  }

  respond(hint?: string): void {
    this.#history.asked();
    this.#mind.respond(hint);
  }

  cut(input: Parameters<Mind['cut']>[0]): void {
    this.#history.cut(input.item, input.heardText);
    this.#mind.cut(input);
  }

  pressed(digits: string): void {
    this.#history.asked();
    this.#history.add({ kind: 'callee', text: `[pressed ${digits}]` });
    this.#mind.pressed(digits);
  }

  toolResult(input: Parameters<Mind['toolResult']>[0]): void {
    if (input.answer) this.#history.asked();
    this.#history.add({ kind: 'tool_result', id: input.id, output: input.output });
    this.#mind.toolResult(input);
  }

  close(): void {
    this.#closed = true;
    this.#mind.close();
  }

  #open(): Mind {
    this.#connection += 1;
    const connection = this.#connection;
    return this.#input.open({
      history: this.#history.items(),
      listener: (event) => {
        if (connection === this.#connection) this.#receive(event);
      },
    });
  }

  #receive(event: MindEvent): void {
    this.#history.observe(event);
    if (event.kind === 'callee_said') this.#notUnderstood.dropUntil(event.endMs);
    if (event.kind === 'failed' && this.#mayReconnect(event.failure)) return this.#reconnect(event.failure);
    if (event.kind !== 'ready') return this.#input.listener(event);
    if (this.#lost === null) {
      this.#wasReady = true;
      return this.#input.listener(event);
    }
    const { failure, atMs } = this.#lost;
    this.#lost = null;
    this.#input.listener({ kind: 'recovered', failure, afterMs: this.#input.clock.monotonicMs() - atMs });
  }

  /** A provider that never accepted the settings would not accept them now. */
  #mayReconnect({ kind }: ProviderFailure): boolean {
    const lost = kind === 'dropped' || kind === 'stalled';
    return !this.#closed && this.#wasReady && lost && this.#connection <= (this.#input.maxReconnects ?? 2);
  }

  #reconnect(failure: ProviderFailure): void {
    this.#lost = { failure, atMs: this.#input.clock.monotonicMs() };
    const wasAnswering = this.#history.answering;
    this.#mind = this.#open();
    for (const { ulaw, fromMs } of this.#notUnderstood.peek()) this.#mind.hear(ulaw, fromMs);
    if (this.#gateOpen) this.#mind.openGate();
    if (wasAnswering) this.#mind.respond();
  }
}
