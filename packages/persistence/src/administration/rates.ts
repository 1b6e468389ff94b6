import type { Rate } from '@outdial/calls';
import { micros } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { containing } from './containing.ts';
import { refusal } from './refusal.ts';

/** A rate with a description of its destination. */
export interface DeckRate extends Rate {
  readonly description: string;
}

export interface DeckRecord {
  readonly currency: string;
  readonly version: number;
  readonly updatedAtMs: number;
  /** Sorted by prefix. */
  readonly rates: readonly DeckRate[];
}

export interface DeckSummary {
  readonly currency: string;
  readonly version: number;
  readonly updatedAtMs: number;
  readonly rateCount: number;
}

export interface RateSearch {
  readonly currency: string;
  /**
   * Digits match prefixes that start with them, and prefixes of a number that starts with them; any other text matches
   * descriptions. An empty text matches every rate.
   */
  readonly text: string;
  /** The last prefix of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface RateAdministration {
  /** Replaces the whole deck at once: a call is priced by the old one or the new one. Prefixes must be unique. */
  import(input: {
    readonly currency: string;
    readonly rates: readonly DeckRate[];
  }): Promise<{ readonly version: number }>;
  show(currency: string): Promise<DeckRecord>;
  /** Sorted by currency. */
  decks(): Promise<readonly DeckSummary[]>;
  /** Sorted by prefix. */
  find(search: RateSearch): Promise<{ readonly rates: readonly DeckRate[]; readonly hasMore: boolean }>;
}

interface RateRow {
  readonly prefix: string;
  readonly description: string;
  readonly connectionFeeMicros: bigint;
  readonly pricePerMinuteMicros: bigint;
  readonly initialIncrementSeconds: number;
  readonly incrementSeconds: number;
}

const NEW_RATES = Prisma.sql`jsonb_to_recordset(i.rates) AS r(
  prefix text, description text, connection_fee_micros bigint, price_per_minute_micros bigint,
  initial_increment_seconds int, increment_seconds int)`;

export function administerRates(context: AdministrationContext): RateAdministration {
  const { side } = context.database;
  return {
    async import(deck) {
      // An import fails only if a concurrent one succeeded, so one of them always makes progress.
      let imported: { readonly version: number } | undefined;
      while (!imported) imported = await importOnce(context, deck);
      return imported;
    },
    async show(currency) {
      const [deck] = await side.$queryRaw<{ version: number; updatedAtMs: number }[]>`
        SELECT version, epoch_ms(updated_at) AS "updatedAtMs" FROM rate_decks WHERE currency = ${currency}`;
      if (!deck) {
        throw refusal('deck_not_found', 'currency', `There are no rates in ${currency}. Import a deck first.`);
      }
      const rates = await side.$queryRaw<RateRow[]>`
        SELECT prefix, description, connection_fee_micros AS "connectionFeeMicros",
          price_per_minute_micros AS "pricePerMinuteMicros", initial_increment_seconds AS "initialIncrementSeconds",
          increment_seconds AS "incrementSeconds"
        FROM rates WHERE currency = ${currency} ORDER BY prefix`;
      return { currency, ...deck, rates: rates.map(toRate) };
    },
    decks: () => side.$queryRaw<DeckSummary[]>`
      SELECT d.currency, d.version, epoch_ms(d.updated_at) AS "updatedAtMs",
        (SELECT count(*)::int FROM rates r WHERE r.currency = d.currency) AS "rateCount"
      FROM rate_decks d ORDER BY d.currency`,
    async find({ currency, text, after, limit }) {
      const digits = text.replace(/^\+/, '');
      const matching = /^\d+$/.test(digits)
        ? Prisma.sql`(prefix LIKE ${`${digits}%`} OR ${digits} LIKE prefix || '%')`
        : Prisma.sql`(${text === ''} OR description ILIKE ${containing(text)})`;
      const rows = await side.$queryRaw<RateRow[]>`
        SELECT prefix, description, connection_fee_micros AS "connectionFeeMicros",
          price_per_minute_micros AS "pricePerMinuteMicros", initial_increment_seconds AS "initialIncrementSeconds",
          increment_seconds AS "incrementSeconds"
        FROM rates WHERE currency = ${currency} AND ${matching} AND prefix > ${after ?? ''}
        ORDER BY prefix LIMIT ${limit + 1}::int`;
      return { rates: rows.slice(0, limit).map(toRate), hasMore: rows.length > limit };
    },
  };
}

/** Undefined, and nothing changed, if another import was committed after this statement started. */
async function importOnce(
  { database: { side }, actor }: AdministrationContext,
  { currency, rates }: Parameters<RateAdministration['import']>[0],
): Promise<{ readonly version: number } | undefined> {
  const data = { rates: rates.length };
  const [row] = await side.$queryRaw<{ version: number }[]>`
    WITH i AS MATERIALIZED (
      SELECT ${JSON.stringify(rates.map(toInput))}::jsonb AS rates
    ), changed AS (
      INSERT INTO rate_decks AS d (currency) VALUES (${currency})
      ON CONFLICT (currency) DO UPDATE SET version = d.version + 1, updated_at = clock_timestamp()
        -- Only if no import was committed since this statement's snapshot: its DELETE would not see the newer rates.
        WHERE d.version = (SELECT seen.version FROM rate_decks seen WHERE seen.currency = ${currency})
      RETURNING d.version
    ), gone AS (
      DELETE FROM rates WHERE currency = ${currency} AND EXISTS (SELECT FROM changed)
        AND prefix NOT IN (SELECT r.prefix FROM i, ${NEW_RATES})
    ), kept AS (
      INSERT INTO rates (currency, prefix, description, connection_fee_micros, price_per_minute_micros,
                         initial_increment_seconds, increment_seconds)
      SELECT ${currency}, r.* FROM changed, i, ${NEW_RATES}
      ON CONFLICT (currency, prefix) DO UPDATE SET
        description = EXCLUDED.description, connection_fee_micros = EXCLUDED.connection_fee_micros,
        price_per_minute_micros = EXCLUDED.price_per_minute_micros,
        initial_increment_seconds = EXCLUDED.initial_increment_seconds,
        increment_seconds = EXCLUDED.increment_seconds
    ), ${auditPart(actor, { action: 'rates.import', subjectId: currency, data })}
    SELECT version FROM changed`;
  return row;
}

function toInput(rate: DeckRate) {
  return {
    prefix: rate.prefix,
    description: rate.description,
    connection_fee_micros: Number(rate.connectionFeeMicros),
    price_per_minute_micros: Number(rate.pricePerMinuteMicros),
    initial_increment_seconds: rate.initialIncrementSeconds,
    increment_seconds: rate.incrementSeconds,
  };
}

function toRate(row: RateRow): DeckRate {
  return {
    ...row,
    connectionFeeMicros: micros(row.connectionFeeMicros),
    pricePerMinuteMicros: micros(row.pricePerMinuteMicros),
  };
}
