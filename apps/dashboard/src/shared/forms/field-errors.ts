import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';

/** By field, as a dotted path: what is wrong with it, as a sentence without its full stop. */
export type FieldErrors = Record<string, string>;

/** A form's `validate`: the first fault of each field, in words. */
export function validateBy(schema: z.ZodType): (values: unknown) => FieldErrors {
  return (values) => {
    const parsed = schema.safeParse(values);
    if (parsed.success) return {};
    const errors: FieldErrors = {};
    for (const issue of parsed.error.issues) errors[issue.path.join('.')] ??= wordsOf(issue);
    return errors;
  };
}

/** The contracts' own messages say it best; zod's begin with one of these, and speak of zod. */
export function wordsOf(issue: z.core.$ZodIssue): string {
  if (!/^(Invalid|Too) /.test(issue.message)) return capitalise(issue.message);
  if (issue.code === 'too_small') {
    return issue.origin === 'string' && Number(issue.minimum) <= 1
      ? 'Must not be empty'
      : `Must be at least ${issue.minimum}${unitOf(issue.origin)}`;
  }
  if (issue.code === 'too_big') return `Must be at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === 'invalid_key') return capitalise(issue.issues[0]?.message ?? 'is not an allowed name');
  if (issue.code === 'invalid_type') return 'Is required';
  return 'Is not valid';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

const refusedParamsSchema = z.array(z.object({ param: z.string(), message: z.string() }));

/** What the service refused, by field; nothing where it speaks of none. */
export function refusedFields(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  const details = refusedParamsSchema.safeParse(error.details);
  if (details.success && error.code === 'invalid_request') {
    return Object.fromEntries(details.data.map(({ param, message }) => [param, capitalise(message)]));
  }
  return error.param === undefined ? {} : { [error.param]: error.message };
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
