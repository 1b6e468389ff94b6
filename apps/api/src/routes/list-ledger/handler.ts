import { microsToDecimal, type LedgerEntryBody } from '@outdial/contracts';
import type { LedgerPosition, OwnLedgerRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { listLedgerContract } from './contract.ts';

export function listLedgerRoute(deps: OwnAccountDeps): AccountRoute {
  return defineRoute(listLedgerContract, async ({ principal, query: { cursor, limit } }) => {
    // One entry more than the page shows reveals another page, without a count.
    const found = await ownAccountOf(deps, principal).ledger({
      ...(cursor === undefined ? {} : { before: positionOf(cursor) }),
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = found.length > limit && last !== undefined ? cursorAfter(last) : null;
    return { status: 200, body: { entries: page.map(presentEntry), has_more: next !== null, next_cursor: next } };
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
