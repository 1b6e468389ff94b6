import { numberReader } from '@outdial/contact-files/preview';

/**
 * Pasted lines as a file: numbers without a header get one, and lines that were copied from a sheet have their own. The lines
 * are counted as the user sees them once the field shows this text.
 */
export function withHeader(text: string): string {
  const first = text.split(/\r\n|\r|\n/).find((line) => line.trim() !== '') ?? '';
  return isNumber(first) ? `phone\n${text.trimStart()}` : text;
}

const HAS_DIGITS = /\d{3}/;
/** Also of a country that is not chosen yet. */
const BARE_NUMBER = /^\+?[\d\s().\-/]+$/;
const readNumber = numberReader(null);

function isNumber(line: string): boolean {
  const text = line.trim();
  return 'number' in readNumber(text) || (HAS_DIGITS.test(text) && BARE_NUMBER.test(text));
}

/** As the service takes it. */
export function fileOfText(text: string): File {
  return new File([text], 'pasted.csv', { type: 'text/csv' });
}
