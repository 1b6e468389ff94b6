import type { Clock, Timer } from '@outdial/kernel';
import { Attempts } from './attempts.ts';
import { Connections, type Beside, type OpenConnection } from './connections.ts';
import { History } from './history.ts';
import { ItemsUnderWay } from './items-under-way.ts';
import { LateAnswer } from './late-answer.ts';
import { LeavingMinds } from './leaving-minds.ts';
import { HeldBackSound } from './sound/held-back-sound.ts';
import type { Asked, Mind, MindEvent, ProviderFailure } from './mind.ts';
import type { CallReadyLimit } from './ready-limit.ts';
import { Renewal, type OtherConnection } from './renewal.ts';
import { SecondAsk } from './second-ask.ts';
import { Unanswered } from './unanswered.ts';

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
  /** Whether this choice may answer the callee with silence, which takes it a while. Default: none does. */
  readonly mayStaySilent?: (choice: number) => boolean;
}

/**
 * A mind that survives its connection. A lost one is replaced, with everything that was said. Sound that the lost one may
 * not have understood is sent again, and requests of the time in between reach the new one. An answer that was under way
 * is asked for again; the sound of it that has come is played until then.
 *
 * A mind that fails for good is followed by its fallback: before its first words it is asked for the same, later it goes on with
 * what was said. One that is refused for its rate is connected once more before that, after the time that the provider names.
 * An answer that fails is asked for once more, and then of the fallback. An answer that is late is asked of the fallback too:
 * the first sound decides which of the two conducts the call from then on.
 */
export function openReconnectingMind(input: ReconnectingMindInput): Mind & Required<Pick<Mind, 'late'>> {
  return new ReconnectingMind(input);
}

/** A model that may stay silent says so by then. */
const SILENCE_IS_KNOWN_MS = 1_500;

/** Of an answer that called a tool and broke off: the result leads on. */
const CALLED: MindEvent = { kind: 'answer_over', outcome: 'incomplete', empty: false };

const LATE: ProviderFailure = {
  component: 'realtime',
  kind: 'unreachable',
  message: 'the answer did not begin in time',
  retryAfterMs: null,
};

class ReconnectingMind implements Mind {
  readonly #input: ReconnectingMindInput;
  readonly #history = new History();
  /** What was heard since the end of the last turn that was understood. */
  readonly #notUnderstood = new HeldBackSound();
  readonly #connections: Connections;
  readonly #attempts: Attempts;
  readonly #renewal: Renewal;
  #calleeSpeaks = false;
  readonly #toolsUnderWay = new Set<string>();
  /** Until a connection that was refused for its rate is tried again. */
  #retry: Timer | null = null;
  readonly #unanswered = new Unanswered();
  readonly #secondAsk: SecondAsk;
  readonly #late: LateAnswer;
  readonly #leaving: LeavingMinds;
  readonly #items = new ItemsUnderWay();
  #gateOpen = false;
  /** A connection that is lost now is not replaced. */
  #isCallOver = false;
  #closed = false;
  #wasReady = false;
  #lost: { readonly failure: ProviderFailure; readonly atMs: number } | null = null;

  constructor(input: ReconnectingMindInput) {
    this.#input = input;
    this.#leaving = new LeavingMinds(input.clock);
    this.#secondAsk = new SecondAsk(input.clock, this.#unanswered);
    this.#late = new LateAnswer({
      clock: input.clock,
      nextChoice: () => this.#connections.choice + 1,
      open: (choice, listener) => this.#openRunner(choice, listener),
      won: () => this.#takeRunner(LATE),
      leave: (mind) => this.#leaving.add(mind),
    });
    this.#attempts = new Attempts(input.maxReconnects ?? 2);
    this.#renewal = new Renewal({
      clock: input.clock,
      afterMs: input.renewAfterMs ?? Number.POSITIVE_INFINITY,
      open: (listener) => this.#openBeside(listener),
    });
    this.#connections = new Connections({
      open: input.open,
      history: () => this.#history.items(),
      received: (event) => this.#receive(event),
      used: input.listener,
    });
  }

  get #mind(): Mind {
    return this.#connections.mind;
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    this.#input.readyLimit?.answered();
    this.#notUnderstood.add({ ulaw, fromMs });
    // With every frame of every call: without a closure.
    this.#mind.hear(ulaw, fromMs);
    this.#late.runner?.hear(ulaw, fromMs);
    this.#renewal.hear(ulaw, fromMs, this.#isPause);
  }

  calleeSpeech(input: Parameters<NonNullable<Mind['calleeSpeech']>>[0]): void {
    if (input.kind === 'began' || input.kind === 'resumed') this.#unanswered.calleeSpeaks();
    this.#each((mind) => mind.calleeSpeech?.(input));
  }

  openGate(): void {
    this.#gateOpen = true;
    this.#each((mind) => mind.openGate());
  }

  say(text: string, how?: Asked): void {
    this.#ask((mind) => mind.say(text, how));
    this.#each((mind) => mind.say(text, how));
  }

  respond(hint?: string, how?: Asked): void {
    this.#ask((mind) => mind.respond(hint, how));
    this.#each((mind) => mind.respond(hint, how));
  }

  instruct(text: string): void {
    this.#renewal.giveUp();
    this.#history.add({ kind: 'instruction', text });
    this.#each((mind) => mind.instruct(text));
  }

  cut(input: Parameters<Mind['cut']>[0]): void {
    this.#renewal.giveUp();
    this.#history.cut(input.item, input.heardText);
    this.#mind.cut(input);
  }

  pressed(digits: string): void {
    this.#ask((mind) => mind.respond());
    this.#history.add({ kind: 'callee', text: `[pressed ${digits}]` });
    this.#each((mind) => mind.pressed(digits));
  }

  toolResult(input: Parameters<Mind['toolResult']>[0]): void {
    this.#toolsUnderWay.delete(input.id);
    this.#renewal.giveUp();
    if (input.answer) this.#ask((mind) => mind.respond());
    this.#history.add({ kind: 'tool_result', id: input.id, output: input.output });
    this.#each((mind) => mind.toolResult(input));
  }

  late(): void {
    if (this.#isOver || !this.#connections.hasFallback) return;
    // It has begun while this was on its way.
    if (this.#unanswered.isAnswered) return;
    const mayStaySilent = this.#unanswered.isEmpty && this.#input.mayStaySilent?.(this.#connections.choice) === true;
    this.#late.begin(mayStaySilent ? SILENCE_IS_KNOWN_MS : 0);
  }

  async callOver(): Promise<void> {
    this.#isCallOver = true;
    this.#renewal.giveUp();
    this.#cancelRetry();
    this.#late.end();
    await Promise.all([this.#mind.callOver(), this.#leaving.allEnded()]);
  }

  close(): void {
    this.#closed = true;
    this.#renewal.giveUp();
    this.#cancelRetry();
    this.#late.end();
    this.#leaving.close();
    this.#mind.close();
  }

  #cancelRetry(): void {
    this.#retry?.cancel();
    this.#secondAsk.cancel();
  }

  get #isOver(): boolean {
    return this.#isCallOver || this.#closed;
  }

  /** No side speaks, and no answer is awaited. */
  get #isPause(): boolean {
    const isQuiet = !this.#calleeSpeaks && !this.#history.answering;
    return !this.#isOver && this.#wasReady && this.#lost === null && isQuiet && this.#toolsUnderWay.size === 0;
  }

  /** The mind in use, and the one that races it. */
  #each(act: (mind: Mind) => void): void {
    act(this.#mind);
    const { runner } = this.#late;
    if (runner) act(runner);
  }

  #ask(request: (mind: Mind) => void): void {
    this.#renewal.giveUp();
    this.#history.asked();
    this.#secondAsk.asked();
    this.#unanswered.asked(request);
  }

  #openBeside(listener: (event: MindEvent) => void): OtherConnection {
    const other = this.#connections.beside(this.#connections.choice, listener);
    const { mind } = other;
    this.#hearAgain(mind);
    const take = (): void => {
      // Its last usage is emitted.
      this.#mind.close();
      this.#connections.take(other);
      if (this.#gateOpen) mind.openGate();
    };
    return { mind, take };
  }

  #receive(event: MindEvent): void {
    this.#history.observe(event);
    this.#unanswered.observe(event);
    this.#secondAsk.observe(event);
    if (event.kind === 'callee_said') this.#notUnderstood.dropUntil(event.endMs);
    if (event.kind === 'callee_speaking' || event.kind === 'callee_said') {
      this.#calleeSpeaks = event.kind === 'callee_speaking';
    }
    if (event.kind === 'tool_call') this.#toolsUnderWay.add(event.id);
    this.#items.observe(event);
    this.#followRace(event);
    if (event.kind === 'failed') return this.#onFailed(event);
    if (event.kind === 'answer_failed') return this.#onAnswerFailed(event);
    if (event.kind === 'ready') return this.#onReady(event);
    if (event.kind === 'expiring') return this.#renewal.expires();
    this.#input.listener(event);
  }

  /** An answer that begins after all ends the race; one that was cut says nothing about it. */
  #followRace(event: MindEvent): void {
    this.#late.observe(event);
    const isOver = event.kind === 'answer_over' && event.outcome !== 'cancelled';
    if (isOver) this.#attempts.answered();
    if (isOver || event.kind === 'sound' || event.kind === 'tool_call') this.#late.end();
  }

  #openRunner(choice: number, listener: (event: MindEvent) => void): Beside | null {
    if (!this.#connections.has(choice)) return null;
    this.#renewal.giveUp();
    const runner = this.#connections.beside(choice, listener);
    const { mind } = runner;
    // What the callee says is not understood yet: the runner hears it again, and answers it by itself.
    if (this.#calleeSpeaks) this.#hearAgain(mind);
    if (this.#gateOpen) mind.openGate();
    if (!this.#unanswered.isEmpty || !this.#calleeSpeaks) this.#askAgain(mind);
    return runner;
  }

  /** From now on the runner conducts the call. `failure`: of the mind before. */
  #takeRunner(failure: ProviderFailure): void {
    const winner = this.#late.take();
    if (winner === null) return;
    const { runner, isReady, held } = winner;
    this.#cancelRetry();
    this.#attempts.answered();
    const before = this.#connections.mind;
    this.#lost ??= { failure, atMs: this.#late.sinceMs };
    this.#loseItems();
    this.#connections.take(runner);
    if (failure === LATE) before.outrun?.();
    this.#leaving.add(before);
    this.#renewal.restart();
    if (isReady) this.#onReady({ kind: 'ready' });
    for (const event of held) this.#receive(event);
  }

  #onFailed(event: Extract<MindEvent, { kind: 'failed' }>): void {
    const { failure } = event;
    if (this.#isOver) return this.#input.listener(event);
    if (this.#late.isRaced) return this.#takeRunner(failure);
    if (this.#attempts.mayReconnect(failure, this.#wasReady)) return this.#openAgain(failure);
    const delayMs = this.#attempts.connectAgainAfterMs(failure);
    if (delayMs !== null) return this.#openLater(failure, delayMs);
    if (this.#connections.hasFallback) return this.#fallBack(failure);
    this.#input.listener(event);
  }

  /** The provider could not answer, and is still there: it is asked once more, and then its fallback is. */
  #onAnswerFailed(event: Extract<MindEvent, { kind: 'answer_failed' }>): void {
    const { failure } = event;
    if (this.#toolsUnderWay.size > 0 && this.#unanswered.isEmpty && !this.#isOver) {
      this.#loseItems();
      return this.#input.listener(CALLED);
    }
    const before = this.#mind;
    const delayMs = this.#isOver || this.#late.isRaced ? null : this.#attempts.askAgainAfterMs(failure);
    const isRetried = this.#late.isRaced || delayMs !== null || this.#connections.hasFallback;
    if (this.#isOver || !isRetried) return this.#input.listener(event);
    this.#loseItems();
    this.#input.listener({ ...event, isRetried: true });
    if (this.#late.isRaced) return this.#takeRunner(failure);
    this.#history.asked();
    if (delayMs !== null) return this.#secondAsk.begin(delayMs, () => this.#mind);
    this.#fallBack(failure);
    this.#leaving.add(before);
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

  #openLater(failure: ProviderFailure, delayMs: number): void {
    this.#lost ??= { failure, atMs: this.#input.clock.monotonicMs() };
    this.#retry = this.#input.clock.after(delayMs, () => {
      if (!this.#late.isRaced) this.#openAgain(failure);
      else this.#takeRunner(failure);
    });
  }

  #fallBack(failure: ProviderFailure): void {
    this.#attempts.answered();
    this.#openAgain(failure, this.#connections.choice + 1);
  }

  /** Another connection, which is asked for what the one before has not begun or not ended. */
  #openAgain(failure: ProviderFailure, choice = this.#connections.choice): void {
    this.#late.end();
    this.#cancelRetry();
    this.#lost ??= { failure, atMs: this.#input.clock.monotonicMs() };
    const hasCalled = this.#toolsUnderWay.size > 0 && this.#unanswered.hasBegun;
    this.#loseItems();
    if (hasCalled) {
      this.#history.observe(CALLED);
      this.#input.listener(CALLED);
    }
    this.#calleeSpeaks = false;
    this.#connections.replace(choice);
    this.#renewal.restart();
    this.#hearAgain(this.#mind);
    if (this.#gateOpen) this.#mind.openGate();
    if (this.#history.answering || !this.#unanswered.isEmpty) this.#askAgain(this.#mind);
  }

  /** For the answer that the callee waits for. */
  #askAgain(mind: Mind): void {
    this.#history.asked();
    if (this.#unanswered.isEmpty) mind.respond();
    else this.#unanswered.ask(mind);
  }

  /** No more of them follows. Those without a sound were never said. */
  #loseItems(): void {
    for (const { item, hasSound } of this.#items.take()) {
      if (!hasSound) this.#history.forget(item);
      this.#input.listener({ kind: 'item_over', item, isLost: true });
    }
    this.#unanswered.restart();
  }

  #hearAgain(mind: Mind): void {
    for (const { ulaw, fromMs } of this.#notUnderstood.peek()) mind.hear(ulaw, fromMs);
  }
}
