import { deckListSchema, deckParamsSchema, rateListSchema, rateQuerySchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../../http/define-route.ts';
import { nextAfter } from '../next-after.ts';
import { administrationOf, type OperationsDeps } from '../operations-deps.ts';
import { presentDeck, presentRate } from './present-rates.ts';

const decksContract = defineDashboardContract({
  access: 'operator',
  method: 'GET',
  path: '/api/dashboard/operations/rate-decks',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: deckListSchema },
  errors: [],
});

const ratesContract = defineDashboardContract({
  access: 'operator',
  method: 'GET',
  path: '/api/dashboard/operations/rate-decks/:currency/rates',
  params: deckParamsSchema,
  query: rateQuerySchema,
  body: NO_BODY,
  responses: { 200: rateListSchema },
  errors: [],
});

/** What calls cost, by currency and prefix. */
export function listRateRoutes(deps: OperationsDeps): readonly Route[] {
  return [
    defineDashboardRoute(decksContract, async ({ principal }) => {
      const decks = await administrationOf(deps, principal).rates.decks();
      return { status: 200, body: { decks: decks.map((deck) => presentDeck(deck)) } };
    }),
    defineDashboardRoute(ratesContract, async ({ principal, params: { currency }, query }) => {
      const { search: text, after, limit } = query;
      const found = await administrationOf(deps, principal).rates.find({ currency, text, after, limit });
      const rates = found.rates.map((rate) => presentRate(rate));
      return { status: 200, body: { rates, next_after: nextAfter(rates, found.hasMore, ({ prefix }) => prefix) } };
    }),
  ];
}
