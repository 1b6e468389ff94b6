import type { InvalidParam } from '@outdial/contracts';
import { invalidRequest } from './fault.ts';

/** The query string as an object of texts. @throws ApiFault `invalid_request` for a parameter without a name, or given twice. */
export function readQuery(url: string): Readonly<Record<string, string>> {
  const start = url.indexOf('?');
  const values = new Map<string, string>();
  const faults = new Map<string, InvalidParam>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start))) {
    if (name === '') faults.set(name, { param: 'query', message: 'has a value without a name' });
    else if (values.has(name)) faults.set(name, { param: name, message: 'is given twice' });
    values.set(name, value);
  }
  if (faults.size > 0) throw invalidRequest([...faults.values()]);
  // Not an assignment: `__proto__` as a name stays a name, and is refused like any other unknown one.
  return Object.fromEntries(values);
}
