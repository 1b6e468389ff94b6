import { ledgerPageSchema, ledgerQuerySchema, microsToDecimal, type LedgerEntryBody } from '@outdial/contracts';
import type { LedgerPosition, OwnLedgerRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  type Route,
} from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';

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
    // One entry more than the page shows reveals another page, without a count.
    const found = await ownAccountOf(deps, principal).ledger({
      ...(before === undefined ? {} : { before: positionOf(before) }),
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = found.length > limit && last !== undefined ? cursorAfter(last) : null;
    return { status: 200, body: { entries: page.map(presentEntry), next_before: next } };
  });
}

/**
 * The next page begins with the balance before the entry. The cursor carries it: adding up all newer entries would take
 * longer with every page.
 */
function cursorAfter({ id, amountMicros, balanceAfterMicros }: OwnLedgerRecord): string {
  return `${id}.${balanceAfterMicros - amountMicros}`;
}

/** The contract has checked the form of the cursor. */
function positionOf(cursor: string): LedgerPosition {
  const [id = '', balance = ''] = cursor.split('.');
  return { id, balanceMicros: BigInt(balance) };
}

function presentEntry(record: OwnLedgerRecord): LedgerEntryBody {
  return {
    id: record.id,
    kind: record.kind,
    amount: microsToDecimal(record.amountMicros),
    balance_after: Number(record.balanceAfterMicros) / 1_000_000,
    call_id: record.callId,
    agent_name: record.agentName,
    to_number: record.calleeNumber,
    billable_seconds: record.billableSeconds,
    created_at: timestamp(record.createdAtMs),
  };
}
