import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';

/** Error messages by dotted field path, each a sentence without its period. */
export type FieldErrors = Record<string, string>;

/** A form's `validate`: returns the first error of each field. */
export function validateBy(schema: z.ZodType): (values: unknown) => FieldErrors {
  return (values) => {
    const parsed = schema.safeParse(values);
    if (parsed.success) return {};
    const errors: FieldErrors = {};
    for (const issue of parsed.error.issues) errors[issue.path.join('.')] ??= wordsOf(issue);
    return errors;
  };
}

/** Uses the contracts' own messages, and replaces zod's, which mention zod's terms. */
export function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `Has an unknown field: ${issue.keys.join(', ')}`;
  if (!/^(Invalid|Too) /.test(issue.message)) return capitalize(issue.message);
  if (issue.code === 'too_small') {
    return issue.origin === 'string' && Number(issue.minimum) <= 1
      ? 'Must not be empty'
      : `Must be at least ${issue.minimum}${unitOf(issue.origin)}`;
  }
  if (issue.code === 'too_big') return `Must be at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === 'invalid_key') return capitalize(issue.issues[0]?.message ?? 'this name is not allowed');
  if (issue.code === 'invalid_type') return 'Required';
  if (issue.code === 'invalid_value') return `Must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_union' && issue.inclusive !== false && issue.options !== undefined)
    // Undefined is an option of a field with a default.
    return `Must be one of ${issue.options.filter((option) => option !== undefined).join(', ')}`;
  return 'Invalid value';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

const paramErrorsSchema = z.array(z.object({ param: z.string(), message: z.string() }));

/** The service's error messages by field. Empty when the error names no field. */
export function fieldErrorsOf(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  const details = paramErrorsSchema.safeParse(error.details);
  if (details.success && error.code === 'invalid_request') {
    return Object.fromEntries(details.data.map(({ param, message }) => [param, capitalize(message)]));
  }
  return error.param === undefined ? {} : { [error.param]: error.message };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
