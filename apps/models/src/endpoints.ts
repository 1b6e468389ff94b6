import type { ServerResponse } from 'node:http';
import type { ProviderLedger, RequestEndpoint } from '@outdial/simulated-providers';

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export const health: RequestEndpoint = {
  method: 'GET',
  path: /^\/healthz$/,
  handle: (_request, response) => answer(response, 200, { status: 'ok' }),
};

/** What the providers would bill so far: `{entries: [{component, provider, unit, quantity}]}`. */
export const ledgerOf = (ledger: Pick<ProviderLedger, 'totals'>): RequestEndpoint => ({
  method: 'GET',
  path: /^\/ledger$/,
  handle: (_request, response) => answer(response, 200, { entries: ledger.totals() }),
});

/** What an agent's HTTP tool asks of a customer's own system: `{day, free_slots}`. */
export const freeSlots: RequestEndpoint = {
  method: 'GET',
  path: /^\/tools\/free-slots$/,
  handle({ url }, response) {
    const day = url.searchParams.get('day');
    if (day === null) return answer(response, 400, { error: { message: 'day is missing: add ?day=tomorrow' } });
    answer(response, 200, { day, free_slots: ['10:00', '14:30'] });
  },
};
