import type { CampaignBody } from '@outdial/contracts';

/** Which columns a file must have. */
export function columnSentences({
  columns,
  default_country: country,
}: Pick<CampaignBody, 'columns' | 'default_country'>): readonly string[] {
  const { to_number: number, time_zone: zone, variables = {}, metadata = {} } = columns;
  const named = [
    ...Object.entries(variables).map(([variable, column]) => `“${column}” is ${variable}`),
    ...Object.entries(metadata).map(([field, column]) => `“${column}” is the metadata ${field}`),
    ...(zone === undefined ? [] : [`“${zone}” is the time zone`]),
  ];
  return [
    'A CSV file whose first line names its columns.',
    number === undefined
      ? 'The numbers are in a column phone, phone_number, number or to_number.'
      : `The numbers are in the column “${number}”.`,
    country === null
      ? 'Each begins with a plus sign and its country code.'
      : `Numbers without a country code are of ${country}.`,
    ...(named.length === 0
      ? ['A column with the name of a variable is that variable.']
      : [`${named.join(', ')}; another column with the name of a variable is that variable.`]),
    'A number that the campaign has already is not added again.',
  ];
}
