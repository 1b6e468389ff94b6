import { text } from 'node:stream/consumers';
import { CommandError } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { openFile } from './open-file.ts';

/**
 * What a JSON file says, or with `-` standard input. The server checks what it has, so the caller names its type.
 *
 * @throws CommandError
 */
export async function readJson<Body>({ stdin }: Pick<Io, 'stdin'>, path: string): Promise<Body> {
  const content = path === '-' ? await text(stdin) : await (await openFile(path)).text();
  try {
    return JSON.parse(content);
  } catch {
    throw new CommandError(`${path === '-' ? 'Standard input' : path} is not valid JSON.`);
  }
}
