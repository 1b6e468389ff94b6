import { invalidRequest } from './api-error.ts';

/** Of a header that must not fail a request: null as well if it appears twice. */
export function lenientHeaderOf(rawHeaders: readonly string[], name: string): string | null {
  try {
    return headerOf(rawHeaders, name);
  } catch {
    return null;
  }
}

/**
 * The value of a header, or null. Reads the raw list of names and values: Node's object would join the values of a
 * repeated header into a text that the client never sent.
 * @throws ApiError `invalid_request` if the header appears twice.
 */
export function headerOf(rawHeaders: readonly string[], name: string): string | null {
  const lowerName = name.toLowerCase();
  let found: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? '';
    if (candidate.length !== name.length || candidate.toLowerCase() !== lowerName) continue;
    if (found !== null) throw invalidRequest([{ param: name, message: 'appears twice: send it once' }]);
    found = rawHeaders[index + 1] ?? '';
  }
  return found;
}
