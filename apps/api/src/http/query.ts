import type { InvalidParam } from '@outdial/contracts';
import { invalidRequest } from './fault.ts';

/**
 * Parses the query string into an object of strings. @throws ApiFault `invalid_request` for a parameter without a name,
 * or one that appears twice
 */
export function readQuery(url: string): Readonly<Record<string, string>> {
  const start = url.indexOf('?');
  const values = new Map<string, string>();
  const faults = new Map<string, InvalidParam>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start))) {
    if (name === '') faults.set(name, { param: 'query', message: 'has a value without a name: name every parameter' });
    else if (values.has(name)) faults.set(name, { param: name, message: 'appears twice: send it once' });
    values.set(name, value);
  }
  if (faults.size > 0) throw invalidRequest([...faults.values()]);
  // Not an assignment: `__proto__` stays an ordinary name, and is rejected like any other unknown one.
  return Object.fromEntries(values);
}
