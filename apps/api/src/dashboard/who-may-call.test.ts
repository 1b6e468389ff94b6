import { randomUUID } from 'node:crypto';
import { dashboardErrorSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../test/open-api.ts';
import type { TestAccount } from '../../test/seeds.ts';
import type { Access } from '../http/principal.ts';

/** Who may call which route. A route without an entry fails the test, and so does an entry without a route. */
const WHO: Readonly<Record<string, Exclude<Access, 'api_key'>>> = {
  'GET /service': 'anybody',
  'POST /session': 'anybody',
  'POST /users': 'anybody',
  'POST /password-resets': 'anybody',
  'POST /password-resets/complete': 'anybody',
  'POST /invitations/read': 'anybody',

  'GET /session': 'user',
  'DELETE /session': 'user',
  'DELETE /sessions': 'user',
  'PUT /password': 'user',
  'POST /invitations/accept': 'user',
  'POST /email-verifications': 'user',
  'POST /email-verifications/complete': 'user',

  'GET /accounts/:account_id/account': 'member',
  'GET /accounts/:account_id/outbound/calls': 'member',
  'POST /accounts/:account_id/outbound/calls': 'member',
  'GET /accounts/:account_id/outbound/calls/:call_id': 'member',
  'PATCH /accounts/:account_id/outbound/calls/:call_id': 'member',
  'POST /accounts/:account_id/outbound/calls/:call_id/end': 'member',
  'POST /accounts/:account_id/outbound/calls/:call_id/opt-out': 'member',
  'POST /accounts/:account_id/outbound/calls/:call_id/instructions': 'member',
  'GET /accounts/:account_id/outbound/calls/:call_id/events': 'member',
  'GET /accounts/:account_id/campaigns': 'member',
  'POST /accounts/:account_id/campaigns': 'member',
  'GET /accounts/:account_id/campaigns/:campaign_id': 'member',
  'PATCH /accounts/:account_id/campaigns/:campaign_id': 'member',
  'DELETE /accounts/:account_id/campaigns/:campaign_id': 'member',
  'POST /accounts/:account_id/campaigns/:campaign_id/start': 'member',
  'POST /accounts/:account_id/campaigns/:campaign_id/pause': 'member',
  'POST /accounts/:account_id/campaigns/:campaign_id/resume': 'member',
  'POST /accounts/:account_id/campaigns/:campaign_id/cancel': 'member',
  'GET /accounts/:account_id/campaigns/:campaign_id/contacts': 'member',
  'POST /accounts/:account_id/campaigns/:campaign_id/contacts': 'member',
  'GET /accounts/:account_id/campaigns/:campaign_id/uploads': 'member',
  'GET /accounts/:account_id/campaigns/:campaign_id/uploads/:upload': 'member',
  'GET /accounts/:account_id/campaigns/:campaign_id/uploads/:upload/errors.csv': 'member',
  'GET /accounts/:account_id/campaigns/:campaign_id/results.csv': 'member',
  'GET /accounts/:account_id/suppressions': 'member',
  'POST /accounts/:account_id/suppressions': 'member',
  'POST /accounts/:account_id/suppressions/check': 'member',
  'POST /accounts/:account_id/suppressions/import': 'member',
  'DELETE /accounts/:account_id/suppressions/:suppression_id': 'owner',
  'GET /accounts/:account_id/calls/:call_id/recording': 'member',
  'GET /accounts/:account_id/calls': 'member',
  'GET /accounts/:account_id/calls.csv': 'member',
  'GET /accounts/:account_id/changes': 'member',
  'GET /accounts/:account_id/agents': 'member',
  'POST /accounts/:account_id/agents': 'member',
  'GET /accounts/:account_id/agents/:agent_id': 'member',
  'PATCH /accounts/:account_id/agents/:agent_id': 'member',
  'GET /accounts/:account_id/agents/:agent_id/versions': 'member',
  'GET /accounts/:account_id/agents/:agent_id/versions/:version': 'member',
  'GET /accounts/:account_id/models': 'member',
  'POST /accounts/:account_id/agents/:agent_id/try': 'member',
  'GET /accounts/:account_id/agents/:agent_id/try/:try_id': 'member',
  'POST /accounts/:account_id/agents/:agent_id/try/:try_id/messages': 'member',
  'POST /accounts/:account_id/agents/:agent_id/try/:try_id/end': 'member',
  'GET /accounts/:account_id/agents/:agent_id/try/:try_id/events': 'member',
  'POST /accounts/:account_id/agents/:agent_id/evaluations': 'member',
  'GET /accounts/:account_id/agents/:agent_id/evaluations': 'member',
  'GET /accounts/:account_id/agents/:agent_id/evaluations/:evaluation_id': 'member',
  'POST /accounts/:account_id/agents/:agent_id/evaluations/:evaluation_id/cancel': 'member',
  'GET /accounts/:account_id/agents/:agent_id/scenarios': 'member',
  'PUT /accounts/:account_id/agents/:agent_id/scenarios': 'member',
  'GET /accounts/:account_id/first-run': 'member',
  'PUT /accounts/:account_id/first-run': 'member',
  'GET /accounts/:account_id/audit': 'owner',
  'GET /accounts/:account_id/phone-numbers': 'member',
  'PATCH /accounts/:account_id/phone-numbers/:phone_number_id': 'owner',
  'GET /accounts/:account_id/account/ledger': 'member',
  'GET /accounts/:account_id/account/calling-policy': 'member',
  'PUT /accounts/:account_id/account/calling-policy': 'owner',
  'GET /accounts/:account_id/account/calling-policy/versions': 'member',
  'POST /accounts/:account_id/account/calling-policy/check': 'member',
  'GET /accounts/:account_id/spend': 'member',
  'GET /accounts/:account_id/totals': 'member',
  'GET /accounts/:account_id/requests': 'member',
  'POST /accounts/:account_id/requests': 'owner',

  'GET /accounts/:account_id/api-keys': 'owner',
  'POST /accounts/:account_id/api-keys': 'owner',
  'POST /accounts/:account_id/api-keys/:key_id/revoke': 'owner',
  'POST /accounts/:account_id/provider-credentials': 'owner',
  'GET /accounts/:account_id/provider-credentials': 'owner',
  'POST /accounts/:account_id/provider-credentials/:credential_id/rotate': 'owner',
  'PATCH /accounts/:account_id/provider-credentials/:credential_id': 'owner',
  'DELETE /accounts/:account_id/provider-credentials/:credential_id': 'owner',
  'POST /accounts/:account_id/provider-credentials/:credential_id/check': 'owner',
  'GET /accounts/:account_id/secrets': 'owner',
  'PUT /accounts/:account_id/secrets/:secret_name': 'owner',
  'DELETE /accounts/:account_id/secrets/:secret_name': 'owner',
  'POST /accounts/:account_id/webhook-endpoints': 'owner',
  'GET /accounts/:account_id/webhook-endpoints': 'member',
  'GET /accounts/:account_id/webhook-endpoints/:endpoint_id': 'member',
  'PATCH /accounts/:account_id/webhook-endpoints/:endpoint_id': 'owner',
  'DELETE /accounts/:account_id/webhook-endpoints/:endpoint_id': 'owner',
  'POST /accounts/:account_id/webhook-endpoints/:endpoint_id/rotate-secret': 'owner',
  'POST /accounts/:account_id/webhook-endpoints/:endpoint_id/test': 'owner',
  'GET /accounts/:account_id/webhook-endpoints/:endpoint_id/deliveries': 'member',
  'POST /accounts/:account_id/webhook-endpoints/:endpoint_id/replays': 'owner',
  'GET /accounts/:account_id/webhook-endpoints/:endpoint_id/replays/:replay_id': 'member',
  'POST /accounts/:account_id/webhook-endpoints/:endpoint_id/replays/:replay_id/cancel': 'owner',
  'GET /accounts/:account_id/webhook-endpoints/per-call/secret': 'member',
  'POST /accounts/:account_id/webhook-endpoints/per-call/secret': 'owner',
  'GET /accounts/:account_id/webhook-messages/:message_id': 'member',
  'POST /accounts/:account_id/webhook-messages/:message_id/resend': 'owner',
  'GET /accounts/:account_id/webhook-activity': 'member',
  'GET /accounts/:account_id/calls/:call_id/webhook-deliveries': 'member',
  'GET /accounts/:account_id/notices': 'member',
  'POST /accounts/:account_id/notices/:notice_id/dismiss': 'member',
  'POST /accounts/:account_id/webhook-listeners': 'owner',
  'DELETE /accounts/:account_id/webhook-listeners/:listener_id': 'owner',
  'GET /accounts/:account_id/webhook-listeners/:listener_id/stream': 'owner',
  'POST /accounts/:account_id/webhook-listeners/:listener_id/results': 'owner',
  'GET /accounts/:account_id/members': 'member',
  'PATCH /accounts/:account_id/members/:user_id': 'owner',
  'DELETE /accounts/:account_id/members/:user_id': 'owner',
  'POST /accounts/:account_id/invitations': 'owner',
  'DELETE /accounts/:account_id/invitations/:invitation_id': 'owner',

  'GET /operations': 'operator',
  'GET /operations/accounts': 'operator',
  'GET /operations/audit': 'operator',
  'PUT /operations/dialling': 'operator',
  'PATCH /operations/workers/:worker_id': 'operator',
  'POST /operations/accounts/:account_id/top-ups': 'operator',
  'GET /operations/accounts/:account_id': 'operator',
  'PATCH /operations/accounts/:account_id': 'operator',
  'PUT /operations/accounts/:account_id/enabled': 'operator',
  'GET /operations/numbers': 'operator',
  'POST /operations/numbers': 'operator',
  'PUT /operations/numbers/:number_id/account': 'operator',
  'PUT /operations/numbers/:number_id/outbound': 'operator',
  'PUT /operations/system-number': 'operator',
  'GET /operations/trunks': 'operator',
  'POST /operations/trunks': 'operator',
  'PATCH /operations/trunks/:trunk_name': 'operator',
  'PUT /operations/trunks/:trunk_name/enabled': 'operator',
  'POST /operations/trunks/:trunk_name/tests': 'operator',
  'GET /operations/providers': 'operator',
  'GET /operations/rate-decks': 'operator',
  'GET /operations/rate-decks/:currency/rates': 'operator',
  'POST /operations/rate-decks/:currency/import': 'operator',
  'GET /operations/users': 'operator',
  'PUT /operations/users/:user_id/operator': 'operator',
  'PUT /operations/users/:user_id/enabled': 'operator',
  'DELETE /operations/users/:user_id/sessions': 'operator',
  'GET /operations/requests': 'operator',
  'POST /operations/requests/:request_id/done': 'operator',
};

/** Paths of the board's own routes, behind the guard of one route. */
const GUARDED: typeof WHO = { 'GET /operations/queues/': 'operator' };

type Caller = 'visitor' | 'stranger' | 'member' | 'owner' | 'operator';
const PASSES = 'passes';

/** The stranger owns another account; the operator is a member of none. */
const ANSWERS: Readonly<Record<Exclude<Access, 'api_key'>, Readonly<Record<Caller, string>>>> = {
  anybody: { visitor: PASSES, stranger: PASSES, member: PASSES, owner: PASSES, operator: PASSES },
  user: { visitor: '401 not_signed_in', stranger: PASSES, member: PASSES, owner: PASSES, operator: PASSES },
  member: {
    visitor: '401 not_signed_in',
    stranger: '404 account_not_found',
    member: PASSES,
    owner: PASSES,
    operator: '404 account_not_found',
  },
  owner: {
    visitor: '401 not_signed_in',
    stranger: '404 account_not_found',
    member: '403 owner_only',
    owner: PASSES,
    operator: '404 account_not_found',
  },
  operator: {
    visitor: '401 not_signed_in',
    stranger: '403 operator_only',
    member: '403 operator_only',
    owner: '403 operator_only',
    operator: PASSES,
  },
};
const REFUSALS = new Set(['not_signed_in', 'account_not_found', 'owner_only', 'operator_only', 'origin_not_allowed']);

const PREFIX = '/api/dashboard';
const ROUTES = Object.entries({ ...WHO, ...GUARDED }).map(([route, access]) => {
  const [method = '', path = ''] = route.split(' ');
  return { route, method, path, access };
});

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
  account = await api.account();
});
afterAll(() => api.close());

async function headersOf(caller: Caller): Promise<Readonly<Record<string, string>>> {
  switch (caller) {
    case 'visitor':
      return { 'Sec-Fetch-Site': 'same-origin' };
    case 'stranger':
      return (await api.signIn({ memberships: [{ accountId: (await api.account()).id, role: 'owner' }] })).headers;
    case 'operator':
      return (await api.signIn({ isOperator: true })).headers;
    case 'member':
    case 'owner':
      return (await api.signIn({ memberships: [{ accountId: account.id, role: caller }] })).headers;
    default:
      return caller satisfies never;
  }
}

/** Names unknown ids or sends an empty body: a caller with access receives 404 or 400, without an effect. */
async function ask(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const filled = path.replace(':account_id', account.id).replaceAll(/:\w+/g, () => randomUUID());
  const hasBody = method !== 'GET' && method !== 'DELETE';
  for (;;) {
    const response = await fetch(`${api.url}${PREFIX}${filled}`, {
      method,
      headers: { ...headers, ...(hasBody ? { 'Content-Type': 'application/json' } : {}) },
      ...(hasBody ? { body: '{}' } : {}),
    });
    if (response.status < 400) {
      // A stream of changes has no end.
      await response.body?.cancel();
      return PASSES;
    }
    const { code } = dashboardErrorSchema.parse(await response.json()).error;
    // A busy machine returns some, and they do not show who may call.
    if (code === 'service_unavailable') continue;
    return REFUSALS.has(code) ? `${response.status} ${code}` : PASSES;
  }
}

it('every route of the dashboard is in the table, with its declared access', () => {
  const found = api.routes
    .filter(({ contract }) => contract.path.startsWith(`${PREFIX}/`))
    .map(({ contract, access }) => [`${contract.method} ${contract.path.slice(PREFIX.length)}`, access]);
  expect(Object.fromEntries(found)).toEqual(WHO);
});

it.each(['visitor', 'stranger', 'member', 'owner', 'operator'] as const)(
  'each route accepts and rejects callers as declared: %s',
  async (caller) => {
    const answers: Record<string, string> = {};
    const expected: Record<string, string> = {};
    let headers = await headersOf(caller);
    for (const { route, method, path, access } of ROUTES) {
      answers[route] = await ask(method, path, headers);
      expected[route] = ANSWERS[access][caller];
      if (method === 'DELETE' && path.startsWith('/session')) headers = await headersOf(caller);
    }
    expect(answers).toEqual(expected);
  },
);

describe('for every principal,', () => {
  it('no route that changes anything can be called by a page of another site', async () => {
    const { headers } = await api.signIn({
      memberships: [{ accountId: account.id, role: 'owner' }],
      isOperator: true,
    });
    const { Cookie = '' } = headers;
    for (const { route, method, path } of ROUTES.filter((each) => each.method !== 'GET')) {
      const answer = await ask(method, path, {
        Cookie,
        'Sec-Fetch-Site': 'cross-site',
        Origin: 'https://evil.example',
      });
      expect(`${route}: ${answer}`).toBe(`${route}: 403 origin_not_allowed`);
    }
  });

  it('no route accepts an API key instead of a session', async () => {
    for (const { route, method, path } of ROUTES.filter((each) => each.access !== 'anybody')) {
      const answer = await ask(method, path, { 'X-API-Key': account.key, 'Sec-Fetch-Site': 'same-origin' });
      expect(`${route}: ${answer}`).toBe(`${route}: 401 not_signed_in`);
    }
  });
});
