/** One escape of JSON. Half of a surrogate pair is written as an escape, a whole pair is not. */
const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;
const NOT_STORABLE = /^\\u(?:0000|d[89a-f])/;

/**
 * JSON for a `jsonb` parameter. Providers and servers of tools write what they like: Postgres takes neither U+0000 nor half
 * of a surrogate pair, which also comes of a text that was cut, so both become U+FFFD.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // Without this a long text is copied although nothing is replaced.
  return json.includes('\\') ? json.replace(ESCAPE, (escape) => (NOT_STORABLE.test(escape) ? '\ufffd' : escape)) : json;
}
