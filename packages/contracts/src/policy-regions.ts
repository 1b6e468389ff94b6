/** ISO 3166-1 alpha-2, of every country with telephone numbers. Ascension (`AC`) is reserved there. */
export const POLICY_COUNTRIES: readonly string[] =
  'AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  );

/** ISO 3166-2, where an area code says the region. */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  US: 'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI'.split(
    ' ',
  ),
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT'.split(' '),
};

const COUNTRY_CODES = new Set(POLICY_COUNTRIES);

/**
 * Whether a number can be there, so that a row of a policy for it can apply. `UK` and `US-FA` look like codes and are none:
 * their rows would close nothing.
 * @param code such as `GB`, `US-FL` or `DE-BY`
 */
export function isPolicyRegion(code: string): boolean {
  const [, country = '', part] = /^([A-Z]{2})(?:-([A-Z0-9]{1,3}))?$/.exec(code) ?? [];
  if (!COUNTRY_CODES.has(country)) return false;
  return part === undefined || (REGIONS[country]?.includes(part) ?? true);
}
