import { once } from 'node:events';
import { connect } from 'node:net';

/** An event that a running baresip reports. */
export interface BaresipEvent {
  readonly type: string;
  /** For a key press, the key. */
  readonly param: string;
}

/** The control connection to a running baresip: its module `ctrl_tcp`, JSON in netstrings. */
export interface BaresipControl {
  /** @throws baresip's message if it rejects the command. */
  tell(command: string, params?: string): Promise<void>;
  /** The first event that matches, past ones included. Rejects if baresip ends before. */
  until(isIt: (event: BaresipEvent) => boolean): Promise<BaresipEvent>;
  close(): void;
}

interface Message {
  readonly event?: boolean;
  readonly type?: string;
  readonly param?: string;
  readonly ok?: boolean;
  readonly data?: string;
}

export async function openBaresipControl(port: number): Promise<BaresipControl> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const events: BaresipEvent[] = [];
  /** Callbacks that check their condition after every message. */
  const waiters = new Set<() => void>();
  /** Answers arrive in the order of the commands. */
  const answers: Message[] = [];
  let isOver = false;
  let received = Buffer.alloc(0);
  const wakeAll = () => {
    for (const wake of waiters) wake();
  };
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOver = true;
    wakeAll();
  });
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    for (let next = firstOf(received); next; next = firstOf(received)) {
      received = next.rest;
      const { event, type = '', param = '' } = next.message;
      if (event === true) events.push({ type, param });
      else answers.push(next.message);
    }
    wakeAll();
  });

  function until<Found>(find: () => Found | undefined): Promise<Found> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined && !isOver) return;
        waiters.delete(look);
        if (found === undefined) reject(new Error('baresip ended'));
        else resolve(found);
      };
      waiters.add(look);
      look();
    });
  }

  let sent = 0;
  return {
    async tell(command, params = '') {
      const mine = sent;
      sent += 1;
      const text = JSON.stringify({ command, params });
      socket.write(`${Buffer.byteLength(text)}:${text},`);
      const { ok, data } = await until(() => answers[mine]);
      if (ok !== true) throw new Error(`baresip refused ${command}: ${data}`);
    },
    until: (isIt) => until(() => events.find(isIt)),
    close: () => socket.destroy(),
  };
}

/** Undefined until the message is complete: `5:hello,`. */
function firstOf(bytes: Buffer): { readonly message: Message; readonly rest: Buffer<ArrayBuffer> } | undefined {
  const colon = bytes.indexOf(':');
  if (colon === -1) return undefined;
  const end = colon + 1 + Number(bytes.toString('latin1', 0, colon));
  if (bytes.length <= end) return undefined;
  return { message: JSON.parse(bytes.toString('utf8', colon + 1, end)), rest: Buffer.from(bytes.subarray(end + 1)) };
}
