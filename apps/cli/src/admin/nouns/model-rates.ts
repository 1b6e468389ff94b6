import { currencySchema, formatDecimal } from '@outdial/contracts';
import type { ModelRate } from '@outdial/calls';
import {
  formatModelRatesCsv,
  MODEL_RATE_CSV_COLUMNS,
  parseModelRatesCsv,
  type ModelDeckRecord,
  type ModelDeckSummary,
} from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { CliError } from '../../cli-error.ts';
import { formatTable } from '../../terminal/table.ts';
import { isoTime, money, shownTime } from '../columns.ts';
import { inputName, readInput } from '../read-input.ts';
import type { Report } from '../report.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const CURRENCY = ['--currency <code>', 'the deck of this currency (default: USD)'] as const;
const currency = currencySchema.default('USD');

/** Further problems are only counted. */
const MOST_PROBLEMS = 50;

export function addModelRateVerbs(program: Command, runVerb: RunVerb): void {
  const rates = createNoun(program, 'model-rates', 'Prices of models, by component, provider, model and unit.');
  addVerb(rates, runVerb, {
    name: 'import',
    summary: `Replace a whole deck from a CSV file with the columns ${MODEL_RATE_CSV_COLUMNS.join(',')}.`,
    arguments: [['<file>', 'the CSV file; - reads standard input']],
    flags: [CURRENCY],
    examples: [
      'model-rates import apps/cli/demo/model-rates.csv',
      'model-rates import model-rates-eur.csv --currency EUR',
    ],
    changes: true,
    input: z.strictObject({ file: z.string(), currency }),
    async run(session, { file, currency }) {
      const deck = parseDeck(await readInput(file, session.stdin), inputName(file));
      const { version } = await session.administration.modelRates.import({ currency, rates: deck });
      return {
        json: { deck: { currency, version, rates: deck.length } },
        text: [`Imported ${deck.length} rates in ${currency} (version ${version}). Accepted calls keep their rates.`],
      };
    },
  });
  addVerb(rates, runVerb, {
    name: 'list',
    summary: 'Show the deck of a currency; without one, all decks.',
    flags: [['--currency <code>', 'the deck of this currency']],
    examples: ['model-rates list', 'model-rates list --currency USD'],
    changes: false,
    input: z.strictObject({ currency: currencySchema.optional() }),
    async run({ administration: { modelRates } }, { currency }) {
      return currency === undefined
        ? decksReport(await modelRates.decks())
        : deckReport(await modelRates.show(currency));
    },
  });
  addVerb(rates, runVerb, {
    name: 'export',
    summary: 'Print a deck in the format that `model-rates import` reads.',
    flags: [CURRENCY],
    examples: ['model-rates export > model-rates.csv'],
    changes: false,
    input: z.strictObject({ currency }),
    async run({ administration }, { currency }) {
      const deck = await administration.modelRates.show(currency);
      return { ...deckReport(deck), text: [formatModelRatesCsv(deck.rates).trimEnd()] };
    },
  });
}

/** @throws CliError that names every invalid line of the file. */
function parseDeck(text: string, name: string): readonly ModelRate[] {
  const parsed = parseModelRatesCsv(text);
  if (parsed.ok) return parsed.rates;
  const lines = parsed.problems.slice(0, MOST_PROBLEMS).map(({ line, message }) => `  line ${line}: ${message}`);
  if (parsed.problems.length > MOST_PROBLEMS) lines.push(`  and ${parsed.problems.length - MOST_PROBLEMS} more`);
  throw new CliError(`Nothing was imported. Correct ${name}:\n${lines.join('\n')}`);
}

function decksReport(decks: readonly ModelDeckSummary[]): Report {
  const columns = [
    { title: 'CURRENCY', value: (deck: ModelDeckSummary) => deck.currency },
    { title: 'VERSION', value: (deck: ModelDeckSummary) => String(deck.version), align: 'right' as const },
    { title: 'RATES', value: (deck: ModelDeckSummary) => String(deck.rateCount), align: 'right' as const },
    { title: 'IMPORTED', value: (deck: ModelDeckSummary) => shownTime(deck.updatedAtMs) },
  ];
  const json = decks.map(({ currency, version, rateCount, updatedAtMs }) => ({
    currency,
    version,
    rates: rateCount,
    updated_at: isoTime(updatedAtMs),
  }));
  return { json: { decks: json }, text: formatTable(columns, decks, 'There are no model rates. Import a deck first.') };
}

function deckReport(deck: ModelDeckRecord): Report {
  const columns = [
    { title: 'COMPONENT', value: (rate: ModelRate) => rate.component },
    { title: 'PROVIDER', value: (rate: ModelRate) => rate.provider },
    { title: 'MODEL', value: (rate: ModelRate) => rate.model },
    { title: 'UNIT', value: (rate: ModelRate) => rate.unit },
    {
      title: 'PER MILLION',
      value: (rate: ModelRate) => formatDecimal(rate.priceMicrosPerMillion),
      align: 'right' as const,
    },
    {
      title: 'ESTIMATE PER MINUTE',
      value: (rate: ModelRate) => formatDecimal(rate.estimateMicrosPerMinute),
      align: 'right' as const,
    },
  ];
  const { currency, version, updatedAtMs } = deck;
  const rates = deck.rates.map((rate) => ({
    component: rate.component,
    provider: rate.provider,
    model: rate.model,
    unit: rate.unit,
    price_per_million: money(rate.priceMicrosPerMillion),
    estimate_per_minute: money(rate.estimateMicrosPerMinute),
  }));
  const head = `${currency}, version ${version}, imported ${shownTime(updatedAtMs)}`;
  return {
    json: { deck: { currency, version, updated_at: isoTime(updatedAtMs), rates } },
    text: [head, '', ...formatTable(columns, deck.rates, 'The deck is empty.')],
  };
}
