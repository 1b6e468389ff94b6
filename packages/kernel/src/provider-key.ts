/** Of a shorter key a beginning is any word. */
const MIN_LENGTH_TO_QUOTE = 12;
const QUOTED_LENGTH = 6;

/**
 * The message of a provider without the key that it was sent: whole, by its beginning, masked as in `7f3a9c21****91bc`, or
 * anything that looks like a key. Providers quote keys in their errors.
 */
export function withoutProviderKey(message: string, key: string): string {
  const whole = key === '' ? message : message.replaceAll(key, '[key]');
  const begin = key.length < MIN_LENGTH_TO_QUOTE ? null : key.slice(0, QUOTED_LENGTH);
  const [first = '', ...rest] = begin === null ? [whole] : whole.split(begin);
  const cut = [first, ...rest.map((after) => `[key]${after.replace(/^[\w*.…-]*/, '')}`)].join('');
  return cut.replaceAll(/[\w-]*[*•]{3,}[\w-]*/g, '[key]').replaceAll(/\b(?:sk|key|rk)[-_][\w*.-]{4,}/gi, '[key]');
}
