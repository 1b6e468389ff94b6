import { getCountries } from 'libphonenumber-js/min';

/** The countries with a numbering plan (ISO 3166-1 alpha-2): what `default_country` may be. */
export const countryCodes = (): readonly string[] => getCountries();
