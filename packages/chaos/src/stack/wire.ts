import type { Socket } from 'node:net';
import { Flow } from './flow.ts';
import type { Trap } from './trap.ts';

export interface WireState {
  readonly delayMs: number;
  readonly silent: boolean;
}

export interface WireOptions extends WireState {
  /** The armed traps. */
  readonly traps: ReadonlySet<Trap>;
  readonly onClosed: () => void;
}

/** Longer than any text that a trap matches: the text may span two chunks. */
const OVERLAP = 120;

/** One connection through the proxy: a flow each way, and the traps on them. */
export class Wire {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #options: WireOptions;
  readonly #up: Flow;
  readonly #down: Flow;
  /** By trap: the last bytes that have passed since it was set. */
  readonly #seen = new WeakMap<Trap, string>();
  #awaitingReply: Trap | undefined;

  constructor(client: Socket, server: Socket, options: WireOptions) {
    this.#client = client;
    this.#server = server;
    this.#options = options;
    this.#up = new Flow(server, options);
    this.#down = new Flow(client, options);
    server.setNoDelay();
    client.on('data', (chunk: Buffer) => this.#onRequest(chunk));
    server.on('data', (chunk: Buffer) => this.#onReply(chunk));
    // Either side's error is followed by its close.
    client.on('error', () => undefined);
    server.on('error', () => undefined);
    // Held bytes outlive the sender, as in a network: they may still arrive.
    client.on('close', () => this.#up.endWhenEmpty());
    server.on('close', () => {
      options.onClosed();
      client.destroy();
    });
  }

  adjust(state: WireState): void {
    this.#up.adjust(state);
    this.#down.adjust(state);
  }

  cut(): void {
    this.#client.resetAndDestroy();
    this.#server.resetAndDestroy();
  }

  #onRequest(chunk: Buffer): void {
    const trap = this.#recognise(chunk);
    if (trap?.place.at === 'request') this.#catch(trap, this.#up);
    if (trap?.place.at === 'reply') {
      trap.reserve();
      this.#awaitingReply = trap;
    }
    this.#up.push(chunk);
  }

  #onReply(chunk: Buffer): void {
    if (this.#awaitingReply) this.#catch(this.#awaitingReply, this.#down);
    this.#awaitingReply = undefined;
    this.#down.push(chunk);
  }

  #recognise(chunk: Buffer): Trap | undefined {
    const text = chunk.toString('latin1');
    let found: Trap | undefined;
    for (const trap of this.#options.traps) {
      const seen = (this.#seen.get(trap) ?? '') + text;
      const isHere = seen.includes(trap.place.text);
      this.#seen.set(trap, isHere ? '' : seen.slice(-OVERLAP));
      if (isHere) found ??= trap;
    }
    return found;
  }

  #catch(trap: Trap, flow: Flow): void {
    flow.hold();
    trap.spring({
      release: () => flow.release(),
      swallow: () => flow.mute(),
      cut: () => this.cut(),
    });
  }
}
