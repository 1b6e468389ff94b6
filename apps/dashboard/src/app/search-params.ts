/** Reads search parameters as plain text, as the API's own queries are, so that values round-trip unchanged. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The inverse. Omits undefined and empty values. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' ? value !== '' : typeof value === 'number' || typeof value === 'boolean') {
      params.set(name, String(value));
    }
  }
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}
