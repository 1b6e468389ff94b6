const HEADERS = 10;
const HEADER_CHARACTERS = 200;
const BODY_BYTES = 2_048;
const COOKIE = /^set-cookie2?$/;

/** What the log of deliveries keeps of a response, in a form that Postgres takes. */
export function loggedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) => !COOKIE.test(name));
  return Object.fromEntries(
    kept
      .slice(0, HEADERS)
      .map(([name, value]) => [
        storable(name.slice(0, HEADER_CHARACTERS)),
        storable(value.slice(0, HEADER_CHARACTERS)),
      ]),
  );
}

/** The first 2 KiB. Invalid UTF-8 is replaced; a character that the cut would split is left out. */
export function loggedBody(body: Uint8Array): string {
  const isCut = body.length > BODY_BYTES;
  return storable(new TextDecoder().decode(body.subarray(0, BODY_BYTES), { stream: isCut }));
}

/** Postgres stores no NUL in a text, and no half of a surrogate pair in JSON. */
function storable(text: string): string {
  return Buffer.from(text).toString('utf8').replaceAll('\0', '\ufffd');
}
