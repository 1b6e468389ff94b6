/**
 * Area codes that serve the same ground: each has the regions and zones of all. Google's data gives a new code of a
 * complex no zone, or only the majority's. Listed are the complexes in which that matters.
 */
export const OVERLAY_COMPLEXES: readonly string[] = [
  // More than one zone.
  '208 986',
  '250 236 257 672 778',
  '270 364',
  '418 367 581',
  '423 729',
  '541 458',
  '709 879',
  '812 930',
  '850 448',
  // Codes that the data does not know yet.
  '309 861',
  '313 679',
  '334 483',
  '440 436',
  '507 924',
  '530 837',
  '559 357',
  '662 471',
  '713 281 346 621 832',
  '716 624',
];

/**
 * Zones that the data gives an area code, but that keep another clock than the people there; each with the zone that
 * keeps theirs.
 */
export const CORRECTED_ZONES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Saskatchewan has no summer time; 306 and 639 are right.
  474: { 'America/Winnipeg': 'America/Regina' },
  // Orlando; 321 and 407, which it overlays, are right.
  689: { 'America/Chicago': 'America/New_York' },
  // Newfoundland and Labrador have summer time, Puerto Rico has none.
  709: { 'America/Puerto_Rico': 'America/Halifax' },
  879: { 'America/Puerto_Rico': 'America/Halifax' },
  // Yukon has had one time all year since November 2020.
  867: { 'America/Vancouver': 'America/Whitehorse', 'America/Fort_Nelson': 'America/Whitehorse' },
  // Unalaska keeps the time of Anchorage.
  907: { 'Pacific/Honolulu': 'America/Anchorage' },
};
