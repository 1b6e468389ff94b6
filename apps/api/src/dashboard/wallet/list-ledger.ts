import { ledgerPageSchema, ledgerQuerySchema, microsToDecimal, type LedgerEntryBody } from '@outdial/contracts';
import type { LedgerRecord } from '@outdial/persistence';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  type Route,
} from '../../http/define-route.ts';
import { timestamp } from '../../present/timestamp.ts';
import { ownAccountOf, type OwnAccountDeps } from '../own-account.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/ledger',
  params: NO_PARAMS,
  query: ledgerQuerySchema,
  body: NO_BODY,
  responses: { 200: ledgerPageSchema },
  errors: [],
});

export function listLedgerRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, query: { before, limit } }) => {
    // One more than is shown says whether there is another page, without counting.
    const found = await ownAccountOf(deps, principal).ledger({
      ...(before === undefined ? {} : { before }),
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
    return { status: 200, body: { entries: page.map(presentEntry), next_before: next } };
  });
}

function presentEntry(record: LedgerRecord): LedgerEntryBody {
  return {
    id: record.id,
    kind: record.kind,
    amount: microsToDecimal(record.amountMicros),
    call_id: record.callId,
    created_at: timestamp(record.createdAtMs),
  };
}
