import type { MessagePort } from 'node:worker_threads';
import type { CallId } from '@outdial/contracts';
import { unreachable, type Clock, type Timer } from '@outdial/kernel';
import type { FromMind, FromModelThread, MindLine, MindLink, ToMind, ToModelThread } from './bridge.ts';

const PING_EVERY_MS = 500;
/** A model thread that is silent for longer than this is of no use to a conversation. */
const SILENT_MS = 2_000;
/** The model thread starts within this time. */
const STARTED_WITHIN_MS = 10_000;
/** A check that comes this late says nothing: this thread was blocked itself. */
const OWN_DELAY_MS = 250;

export interface PortMindLink extends MindLink {
  /**
   * Calls from now on use this port: the first, or the one of a model thread that was started again. `onSilent` is called
   * once if the thread behind it is given up; one that ends by itself is known to who started it.
   */
  use(port: MessagePort, onSilent?: () => void): void;
  close(): void;
}

const LOST: FromMind = {
  kind: 'failed',
  component: null,
  failure: 'model_thread_lost',
  reason: 'provider_unavailable',
};

/** The media thread's end of the bridge: one port for all calls. It notices when the model thread dies or blocks. */
export function createMindLink({ clock }: { readonly clock: Clock }): PortMindLink {
  return new ThreadMindLink(clock);
}

class ThreadMindLink implements PortMindLink {
  readonly #clock: Clock;
  #peer: Peer | undefined;
  /** Without a model thread: it starts with the first call that needs it. */
  readonly #waiting = new Set<WaitingLine>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  use(port: MessagePort, onSilent: () => void = () => undefined): void {
    this.#peer?.lose();
    this.#peer = new Peer(this.#clock, port, onSilent);
    for (const line of this.#waiting) line.connect(this.#peer);
    this.#waiting.clear();
  }

  attach(callId: CallId, listener: (event: FromMind) => void): MindLine {
    if (this.#peer?.isAlive === true) return this.#peer.attach(callId, listener);
    const line = new WaitingLine(this.#clock, callId, listener);
    this.#waiting.add(line);
    return line;
  }

  close(): void {
    this.#peer?.lose();
    this.#peer = undefined;
    for (const line of this.#waiting) line.release();
    this.#waiting.clear();
  }
}

/** A line to a model thread that is being started. */
class WaitingLine implements MindLine {
  readonly #callId: CallId;
  readonly #listener: (event: FromMind) => void;
  readonly #timer: Timer;
  readonly #messages: ToMind[] = [];
  #line: MindLine | undefined;
  #isOver = false;

  constructor(clock: Clock, callId: CallId, listener: (event: FromMind) => void) {
    this.#callId = callId;
    this.#listener = listener;
    this.#timer = clock.after(STARTED_WITHIN_MS, () => {
      this.#isOver = true;
      listener(LOST);
    });
  }

  connect(peer: Peer): void {
    if (this.#isOver) return;
    this.#timer.cancel();
    this.#line = peer.attach(this.#callId, this.#listener);
    for (const message of this.#messages.splice(0)) this.#line.send(message);
  }

  send(message: ToMind): void {
    if (this.#line !== undefined) return this.#line.send(message);
    if (this.#isOver) return;
    if (message.kind !== 'close') return void this.#messages.push(kept(message));
    queueMicrotask(() => this.#listener({ kind: 'closed' }));
    this.release();
  }

  release(): void {
    this.#isOver = true;
    this.#timer.cancel();
    this.#line?.release();
  }
}

/** The sound of a message is valid only while it is sent. */
const kept = (message: ToMind): ToMind =>
  message.kind === 'audio' ? { ...message, ulaw: message.ulaw.slice() } : message;

/** One model thread. */
class Peer {
  readonly #clock: Clock;
  readonly #port: MessagePort;
  readonly #onSilent: () => void;
  readonly #calls = new Map<CallId, (event: FromMind) => void>();
  #timer: Timer;
  #checkDueMs = 0;
  #heardAtMs: number;
  /** A thread that loads its code answers nothing yet. */
  #hasStarted = false;
  #pings = 0;
  #alive = true;

  constructor(clock: Clock, port: MessagePort, onSilent: () => void) {
    this.#clock = clock;
    this.#port = port;
    this.#onSilent = onSilent;
    this.#heardAtMs = clock.monotonicMs();
    this.#timer = this.#pingLater();
    port.on('message', (message: FromModelThread) => this.#receive(message));
    port.on('close', () => this.lose());
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  attach(callId: CallId, listener: (event: FromMind) => void): MindLine {
    this.#calls.set(callId, listener);
    this.#post({ kind: 'attach', callId });
    const isOurs = () => this.#calls.get(callId) === listener;
    return {
      send: (message) => {
        if (isOurs()) this.#sendTo(callId, message);
      },
      release: () => {
        if (isOurs()) this.#calls.delete(callId);
      },
    };
  }

  /** The thread is gone or stuck: its calls learn it, and nothing of it is heard any more. */
  lose(): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#timer.cancel();
    this.#port.close();
    const listeners = [...this.#calls.values()];
    this.#calls.clear();
    for (const listener of listeners) listener(LOST);
  }

  #sendTo(callId: CallId, message: ToMind): void {
    this.#post({ kind: 'call', callId, message });
  }

  #post(message: ToModelThread): void {
    if (this.#alive) this.#port.postMessage(message, []);
  }

  #receive(message: FromModelThread): void {
    this.#heardAtMs = this.#clock.monotonicMs();
    this.#hasStarted = true;
    switch (message.kind) {
      case 'pong':
        return;
      case 'call':
        return this.#calls.get(message.callId)?.(message.message);
      default:
        return unreachable(message);
    }
  }

  #pingLater(): Timer {
    this.#checkDueMs = this.#clock.monotonicMs() + PING_EVERY_MS;
    return this.#clock.after(PING_EVERY_MS, () => {
      const nowMs = this.#clock.monotonicMs();
      const wasBlocked = nowMs - this.#checkDueMs > OWN_DELAY_MS;
      if (!wasBlocked && nowMs - this.#heardAtMs > (this.#hasStarted ? SILENT_MS : STARTED_WITHIN_MS)) {
        this.lose();
        return this.#onSilent();
      }
      this.#pings += 1;
      this.#post({ kind: 'ping', nth: this.#pings });
      this.#timer = this.#pingLater();
    });
  }
}
