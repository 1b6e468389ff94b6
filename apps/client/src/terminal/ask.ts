import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError, EXIT } from '../exit-code.ts';
import type { Io } from '../io.ts';

export interface Asking {
  /** The next line. On a terminal a secret is not shown as it is typed. */
  ask(question: string, options?: { readonly isSecret?: boolean }): Promise<string>;
  close(): void;
}

/** Asks on a terminal; otherwise reads the answers from the lines of stdin. */
export function openAsking({ stdin, stderr, interrupted }: Io): Asking {
  let isMuted = false;
  const shown = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isMuted) stderr.write(chunk.toString());
      done();
    },
  });
  const terminal = stdin.isTTY === true;
  const lines = createInterface({ input: stdin, output: shown, terminal, signal: interrupted });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask(question, { isSecret = false } = {}) {
      if (terminal) stderr.write(`${question}: `);
      isMuted = isSecret;
      const { value, done } = await answers.next();
      isMuted = false;
      if (terminal && isSecret) stderr.write('\n');
      if (done === true) throw new CommandError(`No answer to: ${question}.`, EXIT.usage);
      return value.trim();
    },
    close: () => lines.close(),
  };
}
