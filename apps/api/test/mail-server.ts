import { EventEmitter, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { invariant } from '@outdial/kernel';

/** A mail server that accepts every e-mail, except to the addresses that it is set to reject. */
export interface MailServer {
  readonly url: string;
  /** E-mails as they arrived: headers, empty line, text. */
  readonly letters: readonly string[];
  /** From now on rejects this address as unknown, with a message that quotes it. */
  refuse(recipient: string): void;
  /** Resolves once this many have arrived. */
  until(count: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openMailServer(): Promise<MailServer> {
  const letters: string[] = [];
  const refused = new Set<string>();
  const post = new EventEmitter();
  const server = createServer((connection) =>
    takeLetters(connection, {
      isRefused: (recipient) => refused.has(recipient),
      onLetter: (letter) => {
        letters.push(letter);
        post.emit('letter');
      },
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  invariant(address !== null && typeof address !== 'string', 'it listens on a port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    letters,
    refuse: (recipient) => void refused.add(recipient),
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

interface Post {
  readonly isRefused: (recipient: string) => boolean;
  readonly onLetter: (letter: string) => void;
}

/** The part of RFC 5321 that a sending client needs. */
function takeLetters(connection: Socket, { isRefused, onLetter }: Post): void {
  const say = (line: string) => void connection.write(`${line}\r\n`);
  let letter: string[] | null = null;
  connection.on('error', () => connection.destroy());
  createInterface({ input: connection }).on('line', (line) => {
    const [command = ''] = line.toUpperCase().split(' ');
    const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
    if (letter !== null && line !== '.') letter.push(line);
    else if (letter !== null) {
      onLetter(letter.join('\n'));
      letter = null;
      say('250 taken');
    } else if (command === 'DATA') {
      letter = [];
      say('354 go on');
    } else if (recipient !== undefined && isRefused(recipient)) {
      say(`550 5.1.1 <${recipient}>: there is no ${recipient.split('@')[0] ?? ''} here, ask for somebody else`);
    } else say(command === 'QUIT' ? '221 bye' : '250 ok');
  });
  say('220 mail.test');
}
