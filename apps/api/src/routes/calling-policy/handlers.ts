import { TIME_ZONE_PROBLEM } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import { zoneNamed } from '@outdial/numbering';
import { invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import type { HeavyReads } from '../../http/heavy-reads.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import {
  checkCallingPolicyContract,
  getCallingPolicyContract,
  listPolicyVersionsContract,
  updateCallingPolicyContract,
} from './contracts.ts';
import { presentPolicyCheck, presentPolicyInForce, presentPolicyVersion } from './present.ts';
import { createWaitingCalls } from './waiting-calls.ts';

export interface CallingPolicyDeps extends OwnAccountDeps {
  readonly heavyReads: HeavyReads;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function getCallingPolicyRoute(deps: CallingPolicyDeps): AccountRoute {
  return defineRoute(getCallingPolicyContract, async ({ principal }) => {
    const inForce = await ownAccountOf(deps, principal).callingPolicy.inForce();
    return { status: 200, body: presentPolicyInForce(inForce) };
  });
}

export function updateCallingPolicyRoute(deps: CallingPolicyDeps): AccountRoute {
  const lookAtWaitingCalls = createWaitingCalls(deps);
  return defineRoute(updateCallingPolicyContract, async ({ principal, body: settings }) => {
    const accountId = principal.account.id;
    const { callingPolicy } = ownAccountOf(deps, principal);
    // In the account's turn: saves of one account wait for each other, each with a connection for reading.
    const saved = await deps.heavyReads.read(accountId, () => callingPolicy.save(settings));
    if (saved.isNew) lookAtWaitingCalls(callingPolicy, { accountId, version: saved.policy.version });
    return { status: 200, body: presentPolicyInForce(saved) };
  });
}

export function listPolicyVersionsRoute(deps: CallingPolicyDeps): AccountRoute {
  return defineRoute(listPolicyVersionsContract, async ({ principal, query: { limit, cursor } }) => {
    const before = cursor === undefined ? null : readCursor(cursor);
    const { callingPolicy } = ownAccountOf(deps, principal);
    // One more than the page shows reveals whether there are more.
    const records = await deps.heavyReads.read(
      principal.account.id,
      () => callingPolicy.versions({ before, limit: limit + 1 }),
      (read) => JSON.stringify(read).length,
    );
    const versions = records.slice(0, limit).map(presentPolicyVersion);
    const hasMore = records.length > limit;
    const last = versions.at(-1);
    return {
      status: 200,
      body: { versions, has_more: hasMore, next_cursor: hasMore && last ? String(last.version) : null },
    };
  });
}

/** The last version of the previous page. @throws ApiError */
function readCursor(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw invalidRequest([{ param: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }]);
}

const YEAR_MS = 366 * 86_400_000;

export function checkCallingPolicyRoute(deps: CallingPolicyDeps): AccountRoute {
  return defineRoute(checkCallingPolicyContract, async ({ principal, body }) => {
    const { number, at, callee_time_zone: zone } = body;
    const atMs = at === undefined ? null : Date.parse(at);
    if (atMs !== null && Math.abs(atMs - deps.clock.nowMs()) > YEAR_MS) {
      throw invalidRequest([{ param: 'at', message: 'must be at most a year from now' }]);
    }
    const question = { number, atMs, givenZone: zone === undefined ? null : readZone(zone) };
    const { callingPolicy } = ownAccountOf(deps, principal);
    const answer = await deps.heavyReads.read(principal.account.id, () => callingPolicy.check(question));
    return { status: 200, body: presentPolicyCheck(number, answer) };
  });
}

/** As a request for a call is read. @throws ApiError */
function readZone(text: string): string {
  const zone = zoneNamed(text);
  if (zone !== null) return zone;
  throw invalidRequest([{ param: 'callee_time_zone', message: TIME_ZONE_PROBLEM }]);
}
