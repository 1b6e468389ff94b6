import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { CliError, errorCode, errorText, usageError } from '../cli-error.ts';

/** A file's text, or standard input's for `-`. */
export async function readInput(path: string, stdin: AsyncIterable<Uint8Array>): Promise<string> {
  if (path !== '-') return readTextFile(path);
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * The single line of the `--password-file`, unchanged: leading and trailing spaces belong to the password. @throws
 * CliError
 */
export async function readPassword(path: string, stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const password = (await readInput(path, stdin)).replace(/\r?\n$/, '');
  if (password !== '' && !/[\r\n\0]/.test(password)) return password;
  throw usageError('--password-file: must contain exactly one line, the password');
}

/** The bytes of a file, or of standard input for `-`, as a stream. @throws CliError */
export async function* openInput(path: string, stdin: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (path === '-') {
    yield* stdin;
    return;
  }
  try {
    for await (const chunk of createReadStream(path)) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    throw cannotBeRead(path, error);
  }
}

/** How messages name the input. */
export function inputName(path: string): string {
  return path === '-' ? 'standard input' : path;
}

async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw cannotBeRead(path, error);
  }
}

function cannotBeRead(path: string, error: unknown): CliError {
  const reason = errorCode(error) === 'ENOENT' ? 'there is no such file' : errorText(error);
  return new CliError(`${path} cannot be read: ${reason}.`, { cause: error });
}
