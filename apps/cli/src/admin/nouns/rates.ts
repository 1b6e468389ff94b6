import { currencySchema, formatDecimal } from '@outdial/contracts';
import {
  formatIncrements,
  formatRatesCsv,
  parseRatesCsv,
  RATE_COLUMNS,
  type DeckRate,
  type DeckRecord,
} from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { CliError } from '../../cli-error.ts';
import { formatTable } from '../../terminal/table.ts';
import { isoTime, money, shownTime } from '../columns.ts';
import { inputName, readInput } from '../read-input.ts';
import type { Json, Report } from '../report.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const CURRENCY = ['--currency <code>', 'the deck of this currency (default: USD)'] as const;
const currency = currencySchema.default('USD');

/** Further problems are only counted: for a file of another kind, every line would be one. */
const MOST_PROBLEMS = 50;

export function addRateVerbs(program: Command, runVerb: RunVerb): void {
  const rates = createNoun(program, 'rates', 'Call prices by the longest matching prefix of the dialed number.');
  addVerb(rates, runVerb, {
    name: 'import',
    summary: `Replace a whole deck from a CSV file with the columns ${RATE_COLUMNS.join(',')}.`,
    arguments: [['<file>', 'the CSV file; - reads standard input']],
    flags: [CURRENCY],
    examples: ['rates import apps/cli/demo/rates.csv', 'rates import rates-eur.csv --currency EUR'],
    changes: true,
    input: z.strictObject({ file: z.string(), currency }),
    async run(session, { file, currency }) {
      const deck = parseDeck(await readInput(file, session.stdin), inputName(file));
      const { version } = await session.administration.rates.import({ currency, rates: deck });
      return {
        json: { deck: { currency, version, rates: deck.length } },
        text: [`Imported ${deck.length} rates in ${currency} (version ${version}). Accepted calls keep their rates.`],
      };
    },
  });
  addVerb(rates, runVerb, {
    name: 'show',
    summary: 'Show a deck; with --csv, in the format that `rates import` reads.',
    flags: [CURRENCY, ['--csv', 'print CSV']],
    examples: ['rates show', 'rates show --currency EUR --csv > rates-eur.csv'],
    changes: false,
    input: z.strictObject({ currency, csv: z.literal(true).optional() }),
    async run({ administration }, { currency, csv }) {
      const deck = await administration.rates.show(currency);
      return csv ? csvReport(deck) : deckReport(deck);
    },
  });
}

/** @throws CliError that names every invalid line of the file. */
function parseDeck(text: string, name: string): readonly DeckRate[] {
  const parsed = parseRatesCsv(text);
  if (parsed.ok) return parsed.rates;
  const { problems, problemCount } = parsed;
  const lines = problems.slice(0, MOST_PROBLEMS).map(({ line, message }) => `  line ${line}: ${message}`);
  if (problemCount > MOST_PROBLEMS) lines.push(`  and ${problemCount - MOST_PROBLEMS} more`);
  throw new CliError(`Nothing was imported. Correct ${name}:\n${lines.join('\n')}`);
}

function csvReport(deck: DeckRecord): Report {
  return { json: deckJson(deck), text: [formatRatesCsv(deck.rates).trimEnd()] };
}

function deckReport(deck: DeckRecord): Report {
  const columns = [
    { title: 'PREFIX', value: (rate: DeckRate) => rate.prefix },
    { title: 'DESCRIPTION', value: (rate: DeckRate) => rate.description },
    { title: 'FEE', value: (rate: DeckRate) => formatDecimal(rate.connectionFeeMicros), align: 'right' as const },
    {
      title: 'PER MINUTE',
      value: (rate: DeckRate) => formatDecimal(rate.pricePerMinuteMicros),
      align: 'right' as const,
    },
    { title: 'INCREMENTS', value: formatIncrements, align: 'right' as const },
  ];
  const head = `${deck.currency}, version ${deck.version}, imported ${shownTime(deck.updatedAtMs)}`;
  return { json: deckJson(deck), text: [head, '', ...formatTable(columns, deck.rates, 'The deck is empty.')] };
}

function deckJson(deck: DeckRecord): Json {
  return {
    deck: {
      currency: deck.currency,
      version: deck.version,
      updated_at: isoTime(deck.updatedAtMs),
      rates: deck.rates.map((rate) => ({
        prefix: rate.prefix,
        description: rate.description,
        connection_fee: money(rate.connectionFeeMicros),
        price_per_minute: money(rate.pricePerMinuteMicros),
        increments: formatIncrements(rate),
      })),
    },
  };
}
