import { invalidRequest } from './fault.ts';

/**
 * The value of a header, or null. Read from the raw list of names and values: Node's object would join the values of a
 * repeated one into a text that nobody sent.
 * @throws ApiFault `invalid_request` if it is given twice.
 */
export function headerOf(rawHeaders: readonly string[], name: string): string | null {
  const lowerName = name.toLowerCase();
  let found: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? '';
    if (candidate.length !== name.length || candidate.toLowerCase() !== lowerName) continue;
    if (found !== null) throw invalidRequest([{ param: name, message: 'is given twice' }]);
    found = rawHeaders[index + 1] ?? '';
  }
  return found;
}
