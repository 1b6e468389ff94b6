/** A double distinguishes every decimal of up to this many characters without an exponent. */
const SAFE_LENGTH = 15;

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Whether a number's text keeps its value when it is parsed as a double and serialized again. 0.10 and 1e2 do, in
 * another spelling; 12345678901234567890 and 1e400 do not.
 * @param text a JSON number.
 */
export function isKeptExactly(text: string): boolean {
  if (text.length <= SAFE_LENGTH && !/[eE]/.test(text)) return true;
  const parsed = Number(text);
  return Number.isFinite(parsed) && magnitudeOf(text) === magnitudeOf(String(parsed));
}

/**
 * The same text for equal absolute values: the digits without zeros at either end, and the power of ten of the last
 * one.
 */
function magnitudeOf(text: string): string | null {
  const match = NUMBER.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
