import { formatDecimal, type DeckBody, type OperatedRateBody } from '@outdial/contracts';
import { formatIncrements, type DeckRate, type DeckSummary } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';

export function presentDeck({ currency, version, rateCount, updatedAtMs }: DeckSummary): DeckBody {
  return { currency, version, rates: rateCount, updated_at: timestamp(updatedAtMs) };
}

export function presentRate(rate: DeckRate): OperatedRateBody {
  return {
    prefix: rate.prefix,
    description: rate.description,
    connection_fee: formatDecimal(rate.connectionFeeMicros),
    price_per_minute: formatDecimal(rate.pricePerMinuteMicros),
    increments: formatIncrements(rate),
  };
}
