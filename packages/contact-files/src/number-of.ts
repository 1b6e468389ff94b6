import { isCalleeNumber, type E164 } from '@outdial/contracts';
import { isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import { ContactFileRefused } from './file-refusal.ts';

export type NumberReading = { readonly number: E164 } | { readonly message: string };

/** No telephone number is this long. */
const MAX_LENGTH = 64;

/**
 * A whole number of North America. All its countries have ten digits, and the digit before them that is dialed within (1) is no first
 * one, so the library takes each as it stands. It spends most of its time on which of 25 countries one belongs to.
 */
const NORTH_AMERICAN = /^\+1[2-9]\d{9}$/;

/** @throws ContactFileRefused if nothing is known of the country */
export function numberReader(defaultCountry: string | null): (text: string) => NumberReading {
  const country = defaultCountry === null ? undefined : knownCountry(defaultCountry);
  const wanted =
    country === undefined
      ? 'must be a telephone number with a plus sign and its country’s calling code, such as +12025550143'
      : `must be a telephone number of ${country}, or one with a plus sign and its country’s calling code`;
  const options = { ...(country !== undefined && { defaultCountry: country }), extract: false };
  return (text) => {
    if (NORTH_AMERICAN.test(text) && isCalleeNumber(text)) return { number: text };
    if (text === '') return { message: 'has no number' };
    if (text.length > MAX_LENGTH) return { message: wanted };
    const parsed = parsePhoneNumberFromString(text, options);
    if (parsed === undefined) return { message: wanted };
    if (parsed.ext !== undefined) return { message: 'must be a number without an extension' };
    // Possible, not valid: an area code may be newer than the data.
    if (!parsed.isPossible() || !isCalleeNumber(parsed.number))
      return { message: 'is too long or too short for a number of its country' };
    return { number: parsed.number };
  };
}

function knownCountry(text: string): CountryCode {
  if (isSupportedCountry(text)) return text;
  throw new ContactFileRefused('default_country', `is ${text}, a country without a numbering plan`);
}
