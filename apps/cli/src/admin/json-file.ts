import { invalidParams, type InvalidParam } from '@outdial/contracts';
import type { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { findJsonSyntaxError } from './json-syntax-error.ts';

/** @param name of the file. @throws CliError that names the line where the JSON is broken. */
export function parseJsonFile(text: string, name: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  const fault = findJsonSyntaxError(json);
  if (fault) throw new CliError(`${name}, line ${fault.line}, column ${fault.column}: ${fault.message}.`);
  return JSON.parse(json);
}

/** @param what the file has. @throws CliError that names every invalid field. */
export function readJsonFile<Schema extends z.ZodType>(
  schema: Schema,
  what: string,
  text: string,
  name: string,
): z.output<Schema> {
  const value = parseJsonFile(text, name);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw unusable(what, name, invalidParams(result.error, value));
}

/** @param what the file has, such as `The agent's settings`. */
export function unusable(what: string, name: string, problems: readonly InvalidParam[]): CliError {
  const lines = problems.map(({ param, message }) => `  ${param === 'body' ? 'the settings' : param}: ${message}`);
  return new CliError(`${what} in ${name} cannot be used:\n${lines.join('\n')}`);
}
