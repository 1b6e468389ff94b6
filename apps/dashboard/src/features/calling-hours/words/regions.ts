import { POLICY_COUNTRIES } from '@outdial/contracts';

/** The states and provinces whose own rules an account may have to keep. Any other ISO 3166 code can be typed. */
const US_STATES = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York State',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington State',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
} as const;
const CANADIAN_PROVINCES = {
  AB: 'Alberta',
  BC: 'British Columbia',
  MB: 'Manitoba',
  NB: 'New Brunswick',
  NL: 'Newfoundland and Labrador',
  NS: 'Nova Scotia',
  NT: 'Northwest Territories',
  NU: 'Nunavut',
  ON: 'Ontario',
  PE: 'Prince Edward Island',
  QC: 'Quebec',
  SK: 'Saskatchewan',
  YT: 'Yukon',
} as const;

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const SUBDIVISIONS: ReadonlyMap<string, string> = new Map([
  ...entriesOf('US', US_STATES),
  ...entriesOf('CA', CANADIAN_PROVINCES),
]);

function entriesOf(country: string, parts: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(parts).map(([code, name]) => [`${country}-${code}`, name]);
}

/** `Florida` for `US-FL`, `Germany` for `DE`. A code without a name stays a code. */
export function regionName(code: string): string {
  const subdivision = SUBDIVISIONS.get(code);
  if (subdivision !== undefined) return subdivision;
  return /^[A-Z]{2}$/.test(code) ? (COUNTRY_NAMES.of(code) ?? code) : code;
}

export interface RegionGroup {
  readonly group: string;
  readonly items: { readonly value: string; readonly label: string }[];
}

/** What the list of regions offers, by name. */
export function regionChoices(): readonly RegionGroup[] {
  const states = [...SUBDIVISIONS.keys()];
  return [
    { group: 'United States', items: choicesOf(states.filter((code) => code.startsWith('US-'))) },
    { group: 'Canada', items: choicesOf(states.filter((code) => code.startsWith('CA-'))) },
    { group: 'Countries', items: choicesOf(POLICY_COUNTRIES) },
  ];
}

function choicesOf(codes: readonly string[]) {
  return codes
    .map((value) => ({ value, label: `${regionName(value)} (${value})` }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'));
}
