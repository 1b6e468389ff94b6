import { deckParamsSchema, importedDeckSchema, MAX_RATES_FILE_BYTES } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { readRatesCsv, type DeckRate, type ParsedRatesCsv } from '@outdial/persistence';
import { defineDashboardContract, defineDashboardRoute, NO_QUERY, type Route } from '../../../http/define-route.ts';
import { ApiError } from '../../../http/api-error.ts';
import { fileBody } from '../../../http/file-body.ts';
import { operatorOf, type OperationsDeps } from '../operations-deps.ts';
import { presentDeck } from './present-rates.ts';

/** Further ones are only counted: an operator corrects no more at once. */
const MAX_PROBLEMS = 100;

const contract = defineDashboardContract({
  access: 'operator',
  method: 'POST',
  path: '/api/dashboard/operations/rate-decks/:currency/import',
  params: deckParamsSchema,
  query: NO_QUERY,
  body: fileBody({ mediaType: 'text/csv', maxBytes: MAX_RATES_FILE_BYTES, read: readRatesCsv }),
  responses: { 200: importedDeckSchema },
  errors: ['rates_not_valid', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

/** Replaces the whole deck. One invalid line rejects the file. */
export function importRatesRoute(deps: OperationsDeps): Route {
  return defineDashboardRoute(
    contract,
    async ({ principal, params: { currency }, body }) => {
      const rates = ratesOf(body);
      const administration = deps.openSlowAdministration(operatorOf(principal));
      await administration.rates.import({ currency, rates });
      const deck = (await administration.rates.decks()).find((each) => each.currency === currency);
      invariant(deck, 'a deck that was imported is there');
      return { status: 200, body: { deck: presentDeck(deck) } };
    },
    // Replacing a large deck takes longer than other requests may. One statement does it: all or nothing.
    { keepsDeadline: true },
  );
}

/** @throws ApiError `rates_not_valid` */
function ratesOf(parsed: ParsedRatesCsv): readonly DeckRate[] {
  if (parsed.ok) return parsed.rates;
  const { problems, problemCount } = parsed;
  const [first] = problems;
  throw new ApiError({
    code: 'rates_not_valid',
    publicMessage: `Nothing was imported: the file has ${problemCount === 1 ? '1 problem' : `${problemCount} problems`}. Line ${first?.line ?? 1}: ${first?.message ?? ''}.`,
    param: 'body',
    details: { problems: problems.slice(0, MAX_PROBLEMS), problem_count: problemCount },
  });
}
