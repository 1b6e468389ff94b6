import { EventEmitter, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { invariant } from '@outdial/kernel';

/** A mail server that takes every letter. */
export interface MailServer {
  readonly url: string;
  /** Letters as they came: head, empty line, text. */
  readonly letters: readonly string[];
  /** Resolves once that many have come. */
  until(count: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openMailServer(): Promise<MailServer> {
  const letters: string[] = [];
  const post = new EventEmitter();
  const server = createServer((connection) =>
    takeLetters(connection, (letter) => {
      letters.push(letter);
      post.emit('letter');
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  invariant(address !== null && typeof address !== 'string', 'it listens on a port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    letters,
    async until(count) {
      while (letters.length < count) await once(post, 'letter');
      return letters;
    },
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}

/** As much of RFC 5321 as a client needs that sends what it was told to. */
function takeLetters(connection: Socket, onLetter: (letter: string) => void): void {
  const say = (line: string) => void connection.write(`${line}\r\n`);
  let letter: string[] | null = null;
  connection.on('error', () => connection.destroy());
  createInterface({ input: connection }).on('line', (line) => {
    const [command = ''] = line.toUpperCase().split(' ');
    if (letter !== null && line !== '.') letter.push(line);
    else if (letter !== null) {
      onLetter(letter.join('\n'));
      letter = null;
      say('250 taken');
    } else if (command === 'DATA') {
      letter = [];
      say('354 go on');
    } else say(command === 'QUIT' ? '221 bye' : '250 ok');
  });
  say('220 mail.test');
}
