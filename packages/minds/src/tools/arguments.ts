import { z } from 'zod';

export type ToolArguments =
  | { readonly kind: 'valid'; readonly arguments: Readonly<Record<string, unknown>> }
  /** `message` is for the model: it names what is wrong. */
  | { readonly kind: 'invalid'; readonly message: string };

const anyObject = z.record(z.string(), z.unknown());
const MAX_ISSUES = 5;
/** Of values with schemas: each is compared with every choice. A thread that does it serves other calls. */
const MAX_COMPARISONS = 100_000;

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
  if (partsOf(parsed.data) * choicesOf(schema) > MAX_COMPARISONS) {
    return { kind: 'invalid', message: 'the arguments have too many parts' };
  }
  const checked = z.fromJSONSchema({ ...schema }).safeParse(parsed.data);
  if (checked.success) return { kind: 'valid', arguments: parsed.data };
  const issues = checked.error.issues.slice(0, MAX_ISSUES);
  const problems = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  return { kind: 'invalid', message: `the arguments are wrong: ${problems.join('; ')}` };
}

/** How many values there are, at all depths. A model may nest them deeper than a stack is high. */
function partsOf(value: unknown): number {
  const values = [value];
  for (let at = 0; at < values.length; at += 1) {
    const one = values[at];
    if (typeof one === 'object' && one !== null) values.push(...Object.values(one));
  }
  return values.length;
}

const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'enum', 'type']);

/** With how many schemas one value is compared at most. */
function choicesOf(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 1;
  return Object.entries(schema).reduce<number>((sum, [keyword, inner]) => {
    const own = CHOICES.has(keyword) && Array.isArray(inner) ? inner.length : 0;
    return sum + own + choicesOf(inner) - 1;
  }, 1);
}
