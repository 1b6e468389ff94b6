import { EventEmitter, once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { invariant } from '@outdial/kernel';
import { SMTPServer } from 'smtp-server';

/** A mail server that accepts every e-mail, except to the addresses that it is set to reject. */
export interface MailServer {
  readonly url: string;
  /** E-mails as they arrived: headers, empty line, text. */
  readonly emails: readonly string[];
  /** From now on rejects this address as unknown, with a message that quotes it. */
  refuse(recipient: string): void;
  /** From now on rejects every e-mail for the moment; false: accepts them again. */
  refuseForNow(isRefusing: boolean): void;
  /** From now on says nothing once it has heard this address. */
  hang(recipient: string): void;
  /** How many connections wait for an answer about such an address. */
  readonly hanging: number;
  /** Resolves once this many have arrived. */
  until(count: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openMailServer(): Promise<MailServer> {
  const emails: string[] = [];
  const refused = new Set<string>();
  const hung = new Set<string>();
  let isRefusing = false;
  let hanging = 0;
  const post = new EventEmitter();
  const receive = callbackify(async (email: Readable) => {
    emails.push((await text(email)).replaceAll('\r\n', '\n'));
    post.emit('email');
  });
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    // Connections that hang are cut at the end.
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      if (hung.has(address)) hanging += 1;
      else if (isRefusing) done(Object.assign(new Error('4.3.2 try again later'), { responseCode: 451 }));
      else done(refused.has(address) ? unknownRecipient(address) : null);
    },
    onData: (stream, _session, done) => receive(stream, done),
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  invariant(address !== null && typeof address !== 'string', 'it listens on a port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    emails,
    refuse: (recipient) => void refused.add(recipient),
    refuseForNow: (refusing) => void (isRefusing = refusing),
    hang: (recipient) => void hung.add(recipient),
    get hanging() {
      return hanging;
    },
    async until(count) {
      while (emails.length < count) await once(post, 'email');
      return emails;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Quotes the address, as mail servers do. */
function unknownRecipient(address: string): Error {
  const message = `5.1.1 <${address}>: there is no ${address.split('@')[0] ?? ''} here, check the address`;
  return Object.assign(new Error(message), { responseCode: 550 });
}
