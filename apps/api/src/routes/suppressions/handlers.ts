import { suppressionIdSchema, type AccountId } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { SuppressionCursor } from '@outdial/persistence';
import { invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import type { HeavyReads } from '../../http/heavy-reads.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import type { PositionSeal } from '../../http/position-seal.ts';
import { entrySourceOf } from '../../http/principal.ts';
import {
  checkSuppressionsContract,
  createSuppressionsContract,
  deleteSuppressionContract,
  listSuppressionsContract,
} from './contracts.ts';
import { presentCheck, presentSuppression } from './present.ts';
import { optOutStands, suppressionNotFound, tooManySuppressions } from './refusals.ts';

export interface SuppressionDeps extends OwnAccountDeps {
  readonly heavyReads: HeavyReads;
  readonly suppressionCursors: PositionSeal;
}

export function createSuppressionsRoute(deps: SuppressionDeps): AccountRoute {
  return defineRoute(createSuppressionsContract, async ({ principal, body: { numbers, reason } }) => {
    const { suppressions: list } = ownAccountOf(deps, principal);
    // In the account's turn: adds of one account wait for each other, each with a connection for reading.
    const { outcome, entries } = await deps.heavyReads.read(principal.account.id, async () => ({
      outcome: await list.add({ numbers, reason, source: entrySourceOf(principal) }),
      entries: await list.find(numbers),
    }));
    if (outcome.kind === 'too_many') throw tooManySuppressions(outcome.limit);
    return { status: 201, body: { added: outcome.added, suppressions: entries.map(presentSuppression) } };
  });
}

export function listSuppressionsRoute(deps: SuppressionDeps): AccountRoute {
  const { suppressionCursors: cursors, heavyReads } = deps;
  return defineRoute(listSuppressionsContract, async ({ principal, query: { number, kind, limit, cursor } }) => {
    const accountId = principal.account.id;
    const after = cursor === undefined ? null : readCursor(cursors, accountId, cursor);
    const { suppressions: list } = ownAccountOf(deps, principal);
    const page = await heavyReads.read(accountId, () => list.page({ after, limit, number, kind }));
    const last = page.suppressions.at(-1);
    const next = page.hasMore && last ? cursors.write(accountId, last) : null;
    return {
      status: 200,
      body: { suppressions: page.suppressions.map(presentSuppression), has_more: page.hasMore, next_cursor: next },
    };
  });
}

function readCursor(cursors: PositionSeal, accountId: AccountId, text: string): SuppressionCursor {
  const position = cursors.read(accountId, text);
  if (position !== null) return { createdAtMs: position.createdAtMs, id: suppressionIdSchema.parse(position.id) };
  throw invalidRequest([{ param: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }]);
}

export function checkSuppressionsRoute(deps: SuppressionDeps): AccountRoute {
  return defineRoute(checkSuppressionsContract, async ({ principal, body: { numbers } }) => {
    const { suppressions } = ownAccountOf(deps, principal);
    const checks = await deps.heavyReads.read(principal.account.id, () => suppressions.check(numbers));
    return { status: 200, body: { results: checks.map(presentCheck) } };
  });
}

export function deleteSuppressionRoute(deps: SuppressionDeps): AccountRoute {
  return defineRoute(deleteSuppressionContract, async ({ principal, params, body: { reason } }) => {
    const { suppressions } = ownAccountOf(deps, principal);
    const outcome = await suppressions.remove({ id: params.suppression_id, reason });
    switch (outcome.kind) {
      case 'removed':
        return { status: 200, body: { suppression: presentSuppression(outcome.suppression) } };
      case 'opt_out_stands':
        throw optOutStands();
      case 'not_found':
        throw suppressionNotFound();
      default:
        return unreachable(outcome);
    }
  });
}
