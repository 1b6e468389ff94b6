import { z } from 'zod';

/**
 * Postgres stores neither U+0000 nor half of a surrogate pair in jsonb: either one would fail the whole batch of an
 * insert.
 */
const UNSTORABLE = /\0|\p{Surrogate}/u;
const UNSTORABLE_MESSAGE = 'must not contain the character U+0000 or half of a surrogate pair';

export const storableText = z.string().refine((value) => !UNSTORABLE.test(value), UNSTORABLE_MESSAGE);

const MAX_DEPTH = 16;

interface JsonProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function jsonProblem(value: unknown, path: readonly (string | number)[]): JsonProblem | null {
  if (path.length >= MAX_DEPTH) return { path, message: `must not be nested deeper than ${MAX_DEPTH} levels` };
  if (typeof value === 'string') return UNSTORABLE.test(value) ? { path, message: UNSTORABLE_MESSAGE } : null;
  // 1e400 is valid JSON, but parses to Infinity and is written as null.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path, message: 'must not be a number beyond 1.8e308' };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, key];
    const problem = UNSTORABLE.test(key) ? { path: at, message: UNSTORABLE_MESSAGE } : jsonProblem(inner, at);
    if (problem !== null) return problem;
  }
  return null;
}

/** A JSON object of bounded size and depth, otherwise free. An error inside names its path. */
export const jsonObject = (maxBytes: number) =>
  z.record(z.string(), z.unknown()).superRefine((value, context) => {
    const problem = jsonProblem(value, []);
    if (problem !== null)
      return context.addIssue({ code: 'custom', message: problem.message, path: [...problem.path] });
    const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
    if (bytes > maxBytes) context.addIssue({ code: 'custom', message: `must be at most ${maxBytes} bytes as JSON` });
  });
