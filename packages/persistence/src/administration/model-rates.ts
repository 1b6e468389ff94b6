import type { ModelRate } from '@outdial/calls';
import { MODEL_RATE_COLUMNS, toModelRate, type ModelRateRow } from '../directory/model-rate-deck.ts';
import { Prisma } from '../generated/client.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { refusal } from './refusal.ts';

export interface ModelDeckRecord {
  readonly currency: string;
  readonly version: number;
  readonly updatedAtMs: number;
  /** Sorted by component, provider, model and unit. */
  readonly rates: readonly ModelRate[];
}

export interface ModelDeckSummary {
  readonly currency: string;
  readonly version: number;
  readonly updatedAtMs: number;
  readonly rateCount: number;
}

export interface ModelRateAdministration {
  /** Replaces the whole deck at once. A unit of a model is named once. */
  import(input: {
    readonly currency: string;
    readonly rates: readonly ModelRate[];
  }): Promise<{ readonly version: number }>;
  show(currency: string): Promise<ModelDeckRecord>;
  /** Sorted by currency. */
  decks(): Promise<readonly ModelDeckSummary[]>;
}

const NEW_RATES = Prisma.sql`jsonb_to_recordset(i.rates) AS n(
  component text, provider text, model text, unit text, price_micros_per_million bigint,
  estimate_micros_per_minute bigint)`;

export function administerModelRates(context: AdministrationContext): ModelRateAdministration {
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
        SELECT version, epoch_ms(updated_at) AS "updatedAtMs" FROM model_rate_decks WHERE currency = ${currency}`;
      if (!deck) {
        throw refusal('deck_not_found', 'currency', `There are no model rates in ${currency}. Import a deck first.`);
      }
      const rates = await side.$queryRaw<ModelRateRow[]>`
        SELECT ${MODEL_RATE_COLUMNS} FROM model_rates r
        WHERE r.currency = ${currency} ORDER BY r.component, r.provider, r.model, r.unit`;
      return { currency, ...deck, rates: rates.map(toModelRate) };
    },
    decks: () => side.$queryRaw<ModelDeckSummary[]>`
      SELECT d.currency, d.version, epoch_ms(d.updated_at) AS "updatedAtMs",
        (SELECT count(*)::int FROM model_rates r WHERE r.currency = d.currency) AS "rateCount"
      FROM model_rate_decks d ORDER BY d.currency`,
  };
}

/** Undefined, and nothing changed, if another import was committed after this statement started. */
async function importOnce(
  { database: { side }, actor }: AdministrationContext,
  { currency, rates }: Parameters<ModelRateAdministration['import']>[0],
): Promise<{ readonly version: number } | undefined> {
  const data = { rates: rates.length };
  const [row] = await side.$queryRaw<{ version: number }[]>`
    WITH i AS MATERIALIZED (
      SELECT ${JSON.stringify(rates.map(toInput))}::jsonb AS rates
    ), changed AS (
      INSERT INTO model_rate_decks AS d (currency) VALUES (${currency})
      ON CONFLICT (currency) DO UPDATE SET version = d.version + 1, updated_at = clock_timestamp()
        -- Only if no import was committed since this statement's snapshot: its DELETE would not see the newer rates.
        WHERE d.version = (SELECT seen.version FROM model_rate_decks seen WHERE seen.currency = ${currency})
      RETURNING d.version
    ), gone AS (
      DELETE FROM model_rates r WHERE r.currency = ${currency} AND EXISTS (SELECT FROM changed)
        AND NOT EXISTS (SELECT FROM i, ${NEW_RATES}
          WHERE (n.component, n.provider, n.model, n.unit) = (r.component, r.provider, r.model, r.unit))
    ), kept AS (
      INSERT INTO model_rates (currency, component, provider, model, unit, price_micros_per_million,
                               estimate_micros_per_minute)
      SELECT ${currency}, n.* FROM changed, i, ${NEW_RATES}
      ON CONFLICT (currency, component, provider, model, unit) DO UPDATE SET
        price_micros_per_million = EXCLUDED.price_micros_per_million,
        estimate_micros_per_minute = EXCLUDED.estimate_micros_per_minute
    ), ${auditPart(actor, { action: 'model_rates.import', subjectId: currency, data })}
    SELECT version FROM changed`;
  return row;
}

function toInput(rate: ModelRate) {
  return {
    component: rate.component,
    provider: rate.provider,
    model: rate.model,
    unit: rate.unit,
    price_micros_per_million: Number(rate.priceMicrosPerMillion),
    estimate_micros_per_minute: Number(rate.estimateMicrosPerMinute),
  };
}
