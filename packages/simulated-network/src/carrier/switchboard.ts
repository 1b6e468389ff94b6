import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

/** A leg that another process may end. */
export interface EndableLeg {
  hangUp(): void;
  /** Resolves once the far end is known to be gone. */
  whenEnded(): Promise<void>;
}

/** Where to ask the process of a leg to end it. */
export interface SwitchboardAddress {
  readonly host: string;
  readonly socket: string;
}

/**
 * A running process answers within this time. A stopped one does not, and its legs are still there when it continues.
 */
const MAX_ANSWER_MS = 5_000;

const GONE = 'gone';

/**
 * All simulated legs of this process. Their far ends live in the processes that dial, so these processes answer for
 * them, as the far end of a real leg answers a BYE.
 */
class Switchboard {
  readonly address: SwitchboardAddress = { host: hostname(), socket: `outdial-legs-${randomUUID()}` };
  readonly #legs = new Map<string, EndableLeg>();
  #isOpen = false;

  add(id: string, leg: EndableLeg): void {
    if (!this.#isOpen) this.#open();
    this.#legs.set(id, leg);
  }

  remove(id: string): void {
    this.#legs.delete(id);
  }

  /** `gone` if the leg or its process is gone; `unknown` if that cannot be determined. */
  async end(id: string, { host, socket }: SwitchboardAddress): Promise<'gone' | 'unknown'> {
    if (host !== this.address.host) return 'unknown';
    if (socket === this.address.socket) return this.#end(id);
    return ask(id, pathOf(socket));
  }

  async #end(id: string): Promise<'gone'> {
    const leg = this.#legs.get(id);
    leg?.hangUp();
    await leg?.whenEnded();
    return GONE;
  }

  #open(): void {
    this.#isOpen = true;
    const path = pathOf(this.address.socket);
    const server = createServer((socket) => this.#answer(socket));
    // Without a listener, another process takes this one for dead; the next leg tries to listen again.
    server.on('error', () => (this.#isOpen = false));
    server.listen(path).unref();
    if (!HAS_ABSTRACT_SOCKETS) process.once('exit', () => rmSync(path, { force: true }));
  }

  #answer(socket: Socket): void {
    socket.on('error', () => undefined).unref();
    createInterface({ input: socket })
      // A repeated socket error: the other process may be killed before it has read the answer.
      .on('error', () => undefined)
      .once('line', (id) => void this.#end(id).then((said) => socket.end(`${said}\n`)));
  }
}

/** The switchboard of this process. */
export const switchboard = new Switchboard();

/** Sockets without a file, which vanish with their process. */
const HAS_ABSTRACT_SOCKETS = process.platform === 'linux';

/** The socket path of a process of this machine. */
export const pathOf = (socket: string): string =>
  HAS_ABSTRACT_SOCKETS ? `\0${socket}` : join(tmpdir(), `${basename(socket)}.sock`);

function ask(id: string, path: string): Promise<'gone' | 'unknown'> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    const over = (said: 'gone' | 'unknown') => {
      socket.destroy();
      resolve(said);
    };
    socket.setTimeout(MAX_ANSWER_MS, () => over('unknown'));
    socket.on('connect', () => socket.write(`${id}\n`));
    // Without a listener the process is dead, and its legs with it.
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      over(code === 'ECONNREFUSED' || code === 'ENOENT' ? GONE : 'unknown'),
    );
    createInterface({ input: socket })
      .on('error', () => undefined)
      .once('line', (said) => over(said === GONE ? GONE : 'unknown'))
      .once('close', () => over('unknown'));
  });
}
