import { formatPhoneNumber } from '../../../shared/format/numbers.ts';
import type { FieldErrors } from '../../../shared/forms/field-errors.ts';

interface ContactProblem {
  /** The place of the contact in the request, from 1. */
  readonly line: number;
  readonly text: string;
  readonly message: string;
}

/** What the service says of each contact of a request, by `contacts.1.to_number`. */
export function contactProblems(errors: FieldErrors, numbers: readonly string[]): readonly ContactProblem[] {
  return Object.entries(errors).flatMap(([param, message]) => {
    const at = Number(/^contacts\.(\d+)\./.exec(param)?.[1]);
    const number = numbers[at];
    return number === undefined ? [] : [{ line: at + 1, text: formatPhoneNumber(number), message }];
  });
}
