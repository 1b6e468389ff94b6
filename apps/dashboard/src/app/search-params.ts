/** Search parameters are text on both sides, as the interface's own queries are: what is read is what was written. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The inverse, without what is undefined or empty. */
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
