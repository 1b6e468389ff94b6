/**
 * What `npm run make-places` writes and `placeOf` reads. Country codes are ISO 3166-1, regions ISO 3166-2, zones names of
 * the IANA time zone database.
 */
export interface PlacesTable {
  /** All zones of each country. */
  readonly countries: Readonly<Record<string, readonly string[]>>;
  /** The country by leading digits, after the plus sign: calling codes, and the parts of one that another country has. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** The area codes of the North American Numbering Plan that lie in the same place. */
  readonly areas: readonly Area[];
}

export type Area = readonly [
  country: string,
  regions: readonly string[],
  zones: readonly string[],
  /** Area codes of three digits, with a space between them. */
  codes: string,
];
