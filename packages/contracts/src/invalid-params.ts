import type { InvalidParam } from './errors.ts';
import type { z } from 'zod';
import { dottedPath } from './dotted-path.ts';

type Issue = z.ZodError['issues'][number];

/** Zod's issues in the words of the interface: a dotted path and what the value must be. Each path appears once. */
export function invalidParams(error: z.ZodError, input: unknown): readonly InvalidParam[] {
  const first = new Map<string, InvalidParam>();
  for (const wrong of error.issues.flatMap((issue) => paramsOf(issue, input))) {
    if (!first.has(wrong.param)) first.set(wrong.param, wrong);
  }
  return [...first.values()];
}

function paramsOf(issue: Issue, input: unknown): readonly InvalidParam[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      param: dottedPath([...path, key]),
      message: 'is not a known field: remove it or fix its name',
    }));
  }
  return [{ param: dottedPath(path), message: valueAt(input, path) === undefined ? 'is required' : messageOf(issue) }];
}

function messageOf(issue: Issue): string {
  // Messages of the contracts are the most specific. Zod's defaults begin with one of these prefixes and mention zod's
  // terms.
  if (!/^(Invalid|Too) /.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  // The field that says which shape is meant, such as `driver`, names none of them. Undefined stands for its default.
  if (issue.code === 'invalid_union' && issue.inclusive !== false && issue.options !== undefined)
    return `must be one of ${issue.options.filter((option) => option !== undefined).join(', ')}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? 'is not an allowed name';
  return 'is not valid';
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a JSON object',
  record: 'a JSON object',
  array: 'a list',
};

function unitOf(origin: string): string {
  return origin === 'string' ? ' characters' : '';
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
