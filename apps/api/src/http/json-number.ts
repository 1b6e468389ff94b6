/** Up to so many characters without an exponent, every decimal is told apart by a double. */
const SAFE_LENGTH = 15;

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Whether a number's text has the value that is left of it once it was parsed as a double and written again. 0.10 and
 * 1e2 do, in another spelling; 12345678901234567890 and 1e400 do not.
 * @param text a number of JSON.
 */
export function isKeptExactly(text: string): boolean {
  if (text.length <= SAFE_LENGTH && !/[eE]/.test(text)) return true;
  const parsed = Number(text);
  return Number.isFinite(parsed) && magnitudeOf(text) === magnitudeOf(String(parsed));
}

/** One text for each absolute value: its digits without zeros at either end, and the power of ten that they count. */
function magnitudeOf(text: string): string | null {
  const match = NUMBER.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
