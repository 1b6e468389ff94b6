const UNITED_STATES = [
  'AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware',
  'DC Washington D.C., FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas',
  'KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi',
  'MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York',
  'NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island',
  'SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia',
  'WA Washington State, WV West Virginia, WI Wisconsin, WY Wyoming',
];
const CANADA = [
  // The data misspells one of them.
  'AB Alberta, BC British Columbia, BC British Colombia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador',
  'NT Northwest Territories, NS Nova Scotia, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec',
  'SK Saskatchewan, YT Yukon',
];
/** Countries of ISO 3166-1 that are also regions of the United States in ISO 3166-2. */
const TERRITORIES: ReadonlySet<string | null> = new Set(['AS', 'GU', 'MP', 'PR', 'VI']);

const BY_NAME = new Map([...named('US', UNITED_STATES), ...named('CA', CANADA)]);
const BY_LETTERS = new Map([...BY_NAME.values()].map((region) => [region.slice('US-'.length), region]));

/** @param name such as `Florida`, `San Antonio, TX` or `Nova Scotia/Prince Edward Island`. */
export function regionsOfName(name: string): readonly string[] {
  const letters = /, ([A-Z]{2})$/.exec(name)?.[1];
  const regions = letters === undefined ? name.split('/').map((part) => BY_NAME.get(part)) : [BY_LETTERS.get(letters)];
  return regions.filter((region) => region !== undefined);
}

/** The region of a whole country, if it is one. */
export function regionsOfCountry(country: string): readonly string[] {
  return TERRITORIES.has(country) ? [`US-${country}`] : [];
}

function named(country: string, lines: readonly string[]): readonly (readonly [name: string, region: string])[] {
  return lines
    .flatMap((line) => line.split(', '))
    .map((entry) => [entry.slice('AL '.length), `${country}-${entry.slice(0, 'AL'.length)}`] as const);
}
