import { z } from 'zod';

export type ToolArguments =
  | { readonly kind: 'valid'; readonly arguments: Readonly<Record<string, unknown>> }
  /** `message` is for the model: it names what is wrong. */
  | { readonly kind: 'invalid'; readonly message: string };

const anyObject = z.record(z.string(), z.unknown());
const MAX_ISSUES = 5;

/** Checks a model's arguments against the JSON Schema of its tool. */
export function parseArguments(text: string, schema: Readonly<Record<string, unknown>>): ToolArguments {
  let value: unknown;
  try {
    value = JSON.parse(text === '' ? '{}' : text);
  } catch {
    return { kind: 'invalid', message: 'the arguments are not JSON' };
  }
  const parsed = anyObject.safeParse(value);
  if (!parsed.success) return { kind: 'invalid', message: 'the arguments are not an object' };
  const checked = z.fromJSONSchema({ ...schema }).safeParse(parsed.data);
  if (checked.success) return { kind: 'valid', arguments: parsed.data };
  const issues = checked.error.issues.slice(0, MAX_ISSUES);
  const problems = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  return { kind: 'invalid', message: `the arguments are wrong: ${problems.join('; ')}` };
}
