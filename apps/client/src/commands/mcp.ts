import { Writable } from 'node:stream';
import { serveStdio } from '@outdial/mcp';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { plain } from '../terminal/plain.ts';
import type { CommandContext } from './command-context.ts';

/** Serves a program around a language model over stdin and stdout, until it closes stdin. */
export async function serveMcp(context: CommandContext): Promise<ExitCode> {
  const { stdin, stdout, stderr, interrupted } = context.io;
  const protocol = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      stdout.write(chunk);
      done();
    },
  });
  await serveStdio({
    outdial: await context.client(),
    stdin,
    stdout: protocol,
    onError: (error) => void stderr.write(`${plain(error instanceof Error ? error.message : String(error))}\n`),
    signal: interrupted,
  });
  return interrupted.aborted ? EXIT.interrupted : EXIT.done;
}
