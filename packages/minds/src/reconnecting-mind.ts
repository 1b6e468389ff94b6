import { InvariantError, type Clock, type Timer } from '@outdial/kernel';
import { History } from './history.ts';
import { HeldBackSound } from './sound/held-back-sound.ts';
import type { Asked, HistoryItem, Mind, MindEvent, ProviderFailure } from './mind.ts';
import type { CallReadyLimit } from './ready-limit.ts';
import { Renewal, type OtherConnection } from './renewal.ts';

export type OpenConnection = (input: {
  readonly history: readonly HistoryItem[];
  readonly listener: (event: MindEvent) => void;
}) => Mind;

export interface ReconnectingMindInput {
  /** The first choice, and its fallbacks. Not empty. */
  readonly open: readonly OpenConnection[];
  readonly listener: (event: MindEvent) => void;
  readonly clock: Clock;
  /** Learns when the call is answered: then sound comes. */
  readonly readyLimit?: CallReadyLimit;
  /** Of one call. Default: 2. */
  readonly maxReconnects?: number;
  /** The provider ends a connection some time after this. Default: never. */
  readonly renewAfterMs?: number;
}

/**
 * A mind that survives its connection. A lost one is replaced, with everything that was said. Sound that the lost one may
 * not have understood is sent again, and requests of the time in between reach the new one. An answer that was under way
 * is asked for again; the sound of it that has come is played until then.
 *
 * A mind that fails for good is followed by its fallback: before its first words it is asked for the same, later it goes on with
 * what was said. One that is refused for its rate is connected once more before that, after the time that the provider names.
 */
export function openReconnectingMind(input: ReconnectingMindInput): Mind {
  return new ReconnectingMind(input);
}

/** A provider that wants a longer pause has no use for a conversation. */
const MAX_RETRY_MS = 1_500;
/** Where the provider names no time. */
const RETRY_MS = 500;

class ReconnectingMind implements Mind {
  readonly #input: ReconnectingMindInput;
  readonly #history = new History();
  /** What was heard since the end of the last turn that was understood. */
  readonly #notUnderstood = new HeldBackSound();
  #mind: Mind;
  #choice = 0;
  /** The one in use. */
  #connection = 0;
  #connections = 0;
  readonly #renewal: Renewal;
  #calleeSpeaks = false;
  readonly #toolsUnderWay = new Set<string>();
  #reconnects = 0;
  #retry: Timer | null = null;
  #wasLimited = false;
  #spoke = false;
  /** What was asked for before the first words. */
  readonly #requests: ((mind: Mind) => void)[] = [];
  /** Begun, and not over: no more of them follows once their connection is lost. */
  readonly #itemsUnderWay = new Set<string>();
  #gateOpen = false;
  /** A connection that is lost now is not replaced. */
  #isCallOver = false;
  #closed = false;
  #wasReady = false;
  #lost: { readonly failure: ProviderFailure; readonly atMs: number } | null = null;

  constructor(input: ReconnectingMindInput) {
    this.#input = input;
    this.#renewal = new Renewal({
      clock: input.clock,
      afterMs: input.renewAfterMs ?? Number.POSITIVE_INFINITY,
      open: (listener) => this.#openBeside(listener),
    });
    this.#mind = this.#open();
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    this.#input.readyLimit?.answered();
    this.#notUnderstood.add({ ulaw, fromMs });
    this.#mind.hear(ulaw, fromMs);
    this.#renewal.hear(ulaw, fromMs, this.#isPause);
  }

  calleeSpeech(input: Parameters<NonNullable<Mind['calleeSpeech']>>[0]): void {
    this.#mind.calleeSpeech?.(input);
  }

  openGate(): void {
    this.#gateOpen = true;
    this.#mind.openGate();
  }

  say(text: string, how?: Asked): void {
    this.#ask((mind) => mind.say(text, how));
    this.#mind.say(text, how);
  }

  respond(hint?: string, how?: Asked): void {
    this.#ask((mind) => mind.respond(hint, how));
    this.#mind.respond(hint, how);
  }

  instruct(text: string): void {
    this.#renewal.giveUp();
    this.#history.add({ kind: 'instruction', text });
    this.#mind.instruct(text);
  }

  cut(input: Parameters<Mind['cut']>[0]): void {
    this.#renewal.giveUp();
    this.#history.cut(input.item, input.heardText);
    this.#mind.cut(input);
  }

  pressed(digits: string): void {
    this.#ask((mind) => mind.respond());
    this.#history.add({ kind: 'callee', text: `[pressed ${digits}]` });
    this.#mind.pressed(digits);
  }

  toolResult(input: Parameters<Mind['toolResult']>[0]): void {
    this.#toolsUnderWay.delete(input.id);
    this.#renewal.giveUp();
    if (input.answer) this.#ask((mind) => mind.respond());
    this.#history.add({ kind: 'tool_result', id: input.id, output: input.output });
    this.#mind.toolResult(input);
  }

  callOver(): Promise<void> {
    this.#isCallOver = true;
    this.#renewal.giveUp();
    this.#retry?.cancel();
    return this.#mind.callOver();
  }

  close(): void {
    this.#closed = true;
    this.#renewal.giveUp();
    this.#retry?.cancel();
    this.#mind.close();
  }

  get #isOver(): boolean {
    return this.#isCallOver || this.#closed;
  }

  /** No side speaks, and no answer is awaited. */
  get #isPause(): boolean {
    const isQuiet = !this.#calleeSpeaks && !this.#history.answering;
    return !this.#isOver && this.#wasReady && this.#lost === null && isQuiet && this.#toolsUnderWay.size === 0;
  }

  #ask(again: (mind: Mind) => void): void {
    this.#renewal.giveUp();
    this.#history.asked();
    if (!this.#spoke) this.#requests.push(again);
  }

  #open(): Mind {
    this.#connections += 1;
    this.#connection = this.#connections;
    return this.#connect(this.#connection, () => undefined);
  }

  #openBeside(listener: (event: MindEvent) => void): OtherConnection {
    this.#connections += 1;
    const connection = this.#connections;
    const mind = this.#connect(connection, listener);
    this.#hearAgain(mind);
    const take = (): void => {
      // Its last usage is emitted.
      this.#mind.close();
      this.#connection = connection;
      this.#mind = mind;
      if (this.#gateOpen) mind.openGate();
    };
    return { mind, take };
  }

  /** `aside`: has the events of a connection that is not in use. */
  #connect(connection: number, aside: (event: MindEvent) => void): Mind {
    const open = this.#input.open[this.#choice];
    if (open === undefined) throw new InvariantError('a mind has a first choice');
    return open({
      history: this.#history.items(),
      listener: (event) => (connection === this.#connection ? this.#receive(event) : aside(event)),
    });
  }

  #receive(event: MindEvent): void {
    this.#history.observe(event);
    if (event.kind === 'callee_said') this.#notUnderstood.dropUntil(event.endMs);
    if (event.kind === 'callee_speaking' || event.kind === 'callee_said') {
      this.#calleeSpeaks = event.kind === 'callee_speaking';
    }
    if (event.kind === 'tool_call') this.#toolsUnderWay.add(event.id);
    if (event.kind === 'words' || event.kind === 'sound') {
      this.#spoke = true;
      this.#requests.length = 0;
      this.#itemsUnderWay.add(event.item);
    }
    if (event.kind === 'item_over') this.#itemsUnderWay.delete(event.item);
    if (event.kind === 'failed' && this.#mayReconnect(event.failure)) return this.#reconnect(event.failure);
    if (event.kind === 'failed' && this.#mayRetry(event.failure)) return this.#retryLater(event.failure);
    if (event.kind === 'failed' && this.#mayFallBack()) return this.#fallBack(event.failure);
    if (event.kind === 'ready') return this.#onReady(event);
    if (event.kind === 'expiring') return this.#renewal.expires();
    this.#input.listener(event);
  }

  #onReady(event: MindEvent): void {
    if (this.#lost !== null) {
      const { failure, atMs } = this.#lost;
      this.#lost = null;
      this.#input.listener({ kind: 'recovered', failure, afterMs: this.#input.clock.monotonicMs() - atMs });
    }
    if (this.#wasReady) return;
    this.#wasReady = true;
    this.#input.listener(event);
  }

  /** A provider that never accepted the settings would not accept them now. */
  #mayReconnect({ kind }: ProviderFailure): boolean {
    const lost = kind === 'dropped' || kind === 'stalled';
    return !this.#isOver && this.#wasReady && lost && this.#reconnects < (this.#input.maxReconnects ?? 2);
  }

  #mayRetry({ kind, retryAfterMs }: ProviderFailure): boolean {
    const isShort = (retryAfterMs ?? RETRY_MS) <= MAX_RETRY_MS;
    return !this.#isOver && kind === 'rate_limited' && isShort && !this.#wasLimited;
  }

  #mayFallBack(): boolean {
    return !this.#isOver && this.#choice + 1 < this.#input.open.length;
  }

  #reconnect(failure: ProviderFailure): void {
    this.#reconnects += 1;
    const wasAnswering = this.#history.answering;
    this.#reopen(failure);
    if (wasAnswering) this.#mind.respond();
  }

  #retryLater(failure: ProviderFailure): void {
    this.#wasLimited = true;
    this.#lost ??= { failure, atMs: this.#input.clock.monotonicMs() };
    this.#retry = this.#input.clock.after(failure.retryAfterMs ?? RETRY_MS, () => this.#openAgain(failure));
  }

  #fallBack(failure: ProviderFailure): void {
    this.#choice += 1;
    this.#openAgain(failure);
  }

  /** Another connection, which is asked for all that the one before has not begun. */
  #openAgain(failure: ProviderFailure): void {
    const wasAnswering = this.#history.answering;
    this.#reopen(failure);
    for (const request of this.#requests) request(this.#mind);
    if (wasAnswering && this.#requests.length === 0) this.#mind.respond();
  }

  #reopen(failure: ProviderFailure): void {
    this.#lost ??= { failure, atMs: this.#input.clock.monotonicMs() };
    for (const item of this.#itemsUnderWay) this.#input.listener({ kind: 'item_over', item, isLost: true });
    this.#itemsUnderWay.clear();
    this.#calleeSpeaks = false;
    this.#mind = this.#open();
    this.#renewal.restart();
    this.#hearAgain(this.#mind);
    if (this.#gateOpen) this.#mind.openGate();
  }

  #hearAgain(mind: Mind): void {
    for (const { ulaw, fromMs } of this.#notUnderstood.peek()) mind.hear(ulaw, fromMs);
  }
}
