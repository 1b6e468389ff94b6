import type { InvalidParam } from '@outdial/contracts';
import { invalidRequest } from './api-error.ts';

/**
 * Parses the query string into an object of strings. @throws ApiError `invalid_request` for a parameter without a name,
 * or one that appears twice
 */
export function readQuery(url: string): Readonly<Record<string, string>> {
  const start = url.indexOf('?');
  const values = new Map<string, string>();
  const wrong = new Map<string, InvalidParam>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start))) {
    if (name === '') wrong.set(name, { param: 'query', message: 'has a value without a name: name every parameter' });
    else if (values.has(name)) wrong.set(name, { param: name, message: 'appears twice: send it once' });
    values.set(name, value);
  }
  if (wrong.size > 0) throw invalidRequest([...wrong.values()]);
  // Not an assignment: `__proto__` stays an ordinary name, and is rejected like any other unknown one.
  return Object.fromEntries(values);
}
