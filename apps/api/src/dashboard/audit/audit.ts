import { auditPageSchema, auditQuerySchema, operatorAuditQuerySchema, type AuditEntryBody } from '@outdial/contracts';
import type { AuditRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  type Route,
} from '../../http/define-route.ts';
import { administrationOf, type OperationsDeps } from '../operations/operations-deps.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';

const COMMON = {
  method: 'GET',
  params: NO_PARAMS,
  body: NO_BODY,
  responses: { 200: auditPageSchema },
  errors: [],
} as const;

const ofAccount = defineDashboardContract({
  ...COMMON,
  access: 'owner',
  path: '/api/dashboard/accounts/:account_id/audit',
  query: auditQuerySchema,
});

const ofPlatform = defineDashboardContract({
  ...COMMON,
  access: 'operator',
  path: '/api/dashboard/operations/audit',
  query: operatorAuditQuerySchema,
});

/** Who changed what in the account, and how its members signed in; for its owners. */
export function listAccountAuditRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(ofAccount, async ({ principal, query: { limit, ...filter } }) => {
    const found = await ownAccountOf(deps, principal).audit({ ...filter, limit: limit + 1 });
    return { status: 200, body: pageOf(found, limit, presentToOwner) };
  });
}

/** Who changed what on the whole platform, or in one account. */
export function listAuditRoute(deps: Pick<OperationsDeps, 'openAdministration'>): Route {
  return defineDashboardRoute(ofPlatform, async ({ principal, query: { limit, account_id: accountId, ...filter } }) => {
    const found = await administrationOf(deps, principal).audit({ ...filter, accountId, limit: limit + 1 });
    return { status: 200, body: pageOf(found, limit, present) };
  });
}

/** One entry more than the page shows reveals another page, without a count. */
function pageOf(found: readonly AuditRecord[], limit: number, shown: (record: AuditRecord) => AuditEntryBody) {
  const page = found.slice(0, limit);
  return { entries: page.map(shown), next_before: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}

function present(record: AuditRecord): AuditEntryBody {
  const { id, atMs, action, subjectType, subjectId, subjectName, data } = record;
  const name = data['name'];
  return {
    id,
    at: timestamp(atMs),
    actor: actorOf(record),
    action,
    subject_type: subjectType,
    subject_id: subjectId,
    subject_name: subjectName ?? (typeof name === 'string' ? name : null),
    data,
  };
}

/** Without the network addresses of members and the names of operators. */
function presentToOwner(record: AuditRecord): AuditEntryBody {
  const entry = present(record);
  const { address: _address, ...data } = entry.data;
  const { kind } = entry.actor;
  const isHidden = kind === 'operator' || record.actorIsOperator;
  return { ...entry, data, actor: isHidden ? { kind: 'operator', name: null } : entry.actor };
}

function actorOf({ actor, actorName }: AuditRecord): AuditEntryBody['actor'] {
  if (actor.startsWith('user:')) return { kind: 'user', name: actorName };
  if (actor.startsWith('key:')) return { kind: 'key', name: actorName };
  if (actor === 'anonymous' || actor === 'system') return { kind: actor, name: null };
  // From the command line, with the name that its user gave.
  return { kind: 'operator', name: actor };
}
