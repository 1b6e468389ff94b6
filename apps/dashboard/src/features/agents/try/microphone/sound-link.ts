import { z } from 'zod';
import type { PageClock, Socket } from './ports.ts';
import { isSoundMessage, SOUND_RATE } from './sound-format.ts';

const eventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started') }),
  z.object({ kind: z.literal('clear') }),
  z.object({ kind: z.literal('ended'), reason: z.string() }),
]);

/** The service waits as long for a connection that broke. */
const GONE_MS = 5_000;
const AGAIN_MS = 400;
/** A network that takes less than what is said loses some of it. */
const MOST_UNSENT_BYTES = SOUND_RATE;
/** A connection that lasted for less was not accepted: it does not end a break. */
const SETTLED_MS = 1_000;
/** The codes with which the service closes a connection. */
const CLOSED = { ended: 1000, notAllowed: 1003, another: 4409 } as const;

export type LinkEnd =
  | { readonly kind: 'ended'; readonly reason: string | null }
  /** The service did not accept what this page sent. */
  | { readonly kind: 'not_allowed' }
  /** Another page has the sound of this try. */
  | { readonly kind: 'another' }
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
  #reason: string | null = null;
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
    if (socket === null || this.#openedAtMs === null || !this.#hasStarted) return;
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
      if (isSoundMessage(data.byteLength)) this.#options.onSound(new Uint8Array(data));
      return;
    }
    const event = eventSchema.safeParse(jsonOf(data));
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
    if (this.#reason !== null || code === CLOSED.ended) return this.#end({ kind: 'ended', reason: this.#reason });
    if (code === CLOSED.notAllowed) return this.#end({ kind: 'not_allowed' });
    // After a break, the service may still have the broken connection.
    if (code === CLOSED.another && isFirst) return this.#end({ kind: 'another' });
    if (openedAtMs !== null && this.#options.clock.nowMs() - openedAtMs >= SETTLED_MS) this.#goneAtMs = null;
    this.#reconnect();
  }

  #reconnect(): void {
    const { clock, onBroken } = this.#options;
    this.#goneAtMs ??= clock.nowMs();
    if (clock.nowMs() + AGAIN_MS > this.#goneAtMs + GONE_MS) return this.#end({ kind: 'lost' });
    this.#cancelAgain = clock.after(AGAIN_MS, () => this.#connect());
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
