import { InvalidArgumentError, type Command } from 'commander';
import type { CampaignOptions } from './commands/campaigns.ts';
import { textOption, type Given } from './commands/command-context.ts';
import { addRetryOptions, retryIn } from './retry-options.ts';

type Options = Given['options'];
type Texts = Readonly<Record<string, string>>;
/** What takes a bound away. */
const NONE = 'none';

/** The settings of a campaign, but for its name and its agent. */
export function addCampaignOptions(command: Command): void {
  command
    .option('--from <number>', 'one of your numbers')
    .option('--calls-per-second <count>', `how many calls begin in a second at most, up to 100; or ${NONE}`, boundOf)
    .option('--max-concurrent <calls>', `how many of its calls are open at once at most; or ${NONE}`, boundOf)
    .option('--weight <weight>', 'its part of the slots beside other campaigns, 1 to 100; default: 10', numberOf)
    .option('--budget <amount>', `what its calls may cost at most, in the account’s currency; or ${NONE}`, boundOf)
    .option('--starts-at <time>', 'not before this time, such as 2026-12-07T09:00:00+01:00')
    .option('--ends-at <time>', `no call later than this time; or ${NONE}`)
    .option('--window <file>', `a JSON file with its hours, - for stdin, or ${NONE}`)
    .option('--country <code>', 'the country of numbers without a calling code, such as US')
    .option('--number-column <name>', 'the column of the numbers')
    .option('--zone-column <name>', 'the column of the callees’ time zones')
    .option('--var-column <variable=name>', 'the column of a variable; repeat it for more', addPair, {})
    .option('--metadata-column <key=name>', 'the column of a metadata field; repeat it for more', addPair, {});
  addRetryOptions(command);
}

/** What was given of the settings. */
export function campaignOptionsIn(options: Options): CampaignOptions {
  const [from, country, startsAt] = [
    textOption(options, 'from'),
    textOption(options, 'country'),
    textOption(options, 'startsAt'),
  ];
  const endsAt = orNone(textOption(options, 'endsAt'));
  const columns = columnsIn(options);
  const retry = retryIn(options);
  const fields = {
    ...(from === undefined ? {} : { from_number: from }),
    ...bound(options, 'callsPerSecond', 'calls_per_second'),
    ...bound(options, 'maxConcurrent', 'max_concurrent'),
    ...bound(options, 'budget', 'budget'),
    ...(typeof options['weight'] === 'number' ? { weight: options['weight'] } : {}),
    ...(startsAt === undefined ? {} : { starts_at: startsAt }),
    ...(endsAt === undefined ? {} : { ends_at: endsAt }),
    ...(country === undefined ? {} : { default_country: country }),
    ...(Object.keys(columns).length === 0 ? {} : { columns }),
    ...(retry === undefined ? {} : { retry }),
  };
  return { agent: textOption(options, 'agent'), windowPath: orNone(textOption(options, 'window')), fields };
}

function orNone(text: string | undefined): string | null | undefined {
  return text === NONE ? null : text;
}

function bound<Field extends string>(
  options: Options,
  option: string,
  field: Field,
): { [Name in Field]?: number | null };
function bound(options: Options, option: string, field: string): Readonly<Record<string, number | null>> {
  const value = options[option];
  if (value === NONE) return { [field]: null };
  return typeof value === 'number' ? { [field]: value } : {};
}

function columnsIn(options: Options) {
  const [number, zone] = [textOption(options, 'numberColumn'), textOption(options, 'zoneColumn')];
  const [variables, metadata] = [pairsIn(options['varColumn']), pairsIn(options['metadataColumn'])];
  return {
    ...(number === undefined ? {} : { to_number: number }),
    ...(zone === undefined ? {} : { time_zone: zone }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

function pairsIn(value: unknown): Record<string, string> {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
}

function addPair(text: string, earlier: Texts): Texts {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError('It must be name=column.');
  return { ...earlier, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Commander would make a text out of a null. */
function boundOf(text: string): number | typeof NONE {
  return text === NONE ? NONE : numberOf(text);
}

function numberOf(text: string): number {
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number.');
}
