import { isTrySound, TRY_SOUND, TRY_SOUND_CLOSE, trySoundEventSchema, type TryEndReason } from '@outdial/contracts';
import type { PageClock, Socket } from './ports.ts';

/** The service waits as long for a connection that broke. */
const GONE_MS = 5_000;
const AGAIN_MS = 400;
/** A network that takes less than what is said loses some of it. */
const MOST_UNSENT_BYTES = TRY_SOUND.sampleRate;
/** `WebSocket.OPEN`. */
const OPEN = 1;
/** A connection that lasted for less was not accepted: it does not end a break. */
const SETTLED_MS = 1_000;

export type LinkEnd =
  | { readonly kind: 'ended'; readonly reason: TryEndReason | null }
  | { readonly kind: 'access_lost' }
  /** The service did not accept what this page sent. */
  | { readonly kind: 'not_sound' }
  /** Another page has the sound of this try. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'lost' };

export interface SoundLinkOptions {
  readonly openSocket: () => Socket;
  readonly clock: PageClock;
  /** The agent hears from now on; also after a connection that broke. */
  readonly onHeard: () => void;
  /** The connection broke; another is on its way. */
  readonly onBroken: () => void;
  readonly onSound: (ulaw: Uint8Array) => void;
  readonly onClear: () => void;
  /** Once, and nothing after it. */
  readonly onOver: (end: LinkEnd) => void;
}

/** The sound of a try, both ways, over WebSockets: while one is broken, the next is tried for as long as the service waits. */
export class SoundLink {
  readonly #options: SoundLinkOptions;
  #socket: Socket | null = null;
  #openedAtMs: number | null = null;
  #hasStarted = false;
  #reason: TryEndReason | null = null;
  #goneAtMs: number | null = null;
  #cancelAgain: () => void = () => undefined;
  #isOver = false;

  constructor(options: SoundLinkOptions) {
    this.#options = options;
    this.#connect();
  }

  /** Dropped, and not kept, while the agent does not hear or the network is too slow. */
  send(ulaw: Uint8Array<ArrayBuffer>): void {
    const socket = this.#socket;
    // A socket that closes has not said so yet, and the browser would complain.
    if (socket === null || socket.readyState !== OPEN || !this.#hasStarted) return;
    if (socket.bufferedAmount <= MOST_UNSENT_BYTES) socket.send(ulaw);
  }

  close(): void {
    this.#isOver = true;
    this.#cancelAgain();
    this.#socket?.close();
    this.#socket = null;
  }

  #connect(): void {
    const socket = this.#options.openSocket();
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => this.#onOpen(socket));
    socket.addEventListener('message', ({ data }) => this.#onMessage(socket, data));
    socket.addEventListener('close', ({ code }) => this.#onClose(socket, code));
  }

  #onOpen(socket: Socket): void {
    if (socket !== this.#socket) return;
    this.#openedAtMs = this.#options.clock.nowMs();
    if (this.#hasStarted) this.#options.onHeard();
  }

  #onMessage(socket: Socket, data: unknown): void {
    if (socket !== this.#socket) return;
    if (data instanceof ArrayBuffer) {
      const ulaw = new Uint8Array(data);
      if (isTrySound(ulaw)) this.#options.onSound(ulaw);
      return;
    }
    const event = trySoundEventSchema.safeParse(jsonOf(data));
    // A kind that this page does not know yet.
    if (!event.success) return;
    switch (event.data.kind) {
      case 'started':
        if (!this.#hasStarted) this.#options.onHeard();
        this.#hasStarted = true;
        return;
      case 'clear':
        return this.#options.onClear();
      case 'ended':
        this.#reason = event.data.reason;
        return;
      default:
        event.data satisfies never;
    }
  }

  #onClose(socket: Socket, code: number): void {
    if (socket !== this.#socket) return;
    const isFirst = !this.#hasStarted && this.#goneAtMs === null;
    const openedAtMs = this.#openedAtMs;
    this.#socket = null;
    this.#openedAtMs = null;
    if (this.#reason !== null || code === TRY_SOUND_CLOSE.ended)
      return this.#end({ kind: 'ended', reason: this.#reason });
    if (code === TRY_SOUND_CLOSE.not_sound) return this.#end({ kind: 'not_sound' });
    if (code === TRY_SOUND_CLOSE.access_lost) return this.#end({ kind: 'access_lost' });
    // After a break, the service may still have the broken connection.
    if (code === TRY_SOUND_CLOSE.taken && isFirst) return this.#end({ kind: 'taken' });
    if (openedAtMs !== null && this.#options.clock.nowMs() - openedAtMs >= SETTLED_MS) this.#goneAtMs = null;
    this.#reconnect(code === TRY_SOUND_CLOSE.stopping ? 0 : AGAIN_MS);
  }

  #reconnect(delayMs: number): void {
    const { clock, onBroken } = this.#options;
    this.#goneAtMs ??= clock.nowMs();
    if (clock.nowMs() + delayMs > this.#goneAtMs + GONE_MS) return this.#end({ kind: 'lost' });
    this.#cancelAgain = clock.after(delayMs, () => this.#connect());
    onBroken();
  }

  #end(end: LinkEnd): void {
    if (this.#isOver) return;
    this.close();
    this.#options.onOver(end);
  }
}

function jsonOf(data: unknown): unknown {
  if (typeof data !== 'string') return null;
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
