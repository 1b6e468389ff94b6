import { noticeListSchema, noticeParamsSchema } from '@outdial/contracts';
import { timestamp } from '@outdial/presentation';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { noContent } from '../../http/reply.ts';

const PATH = '/api/dashboard/accounts/:account_id/notices';

const listContract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: PATH,
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: noticeListSchema },
  errors: [],
});

const dismissContract = defineDashboardContract({
  access: 'member',
  method: 'POST',
  path: `${PATH}/:notice_id/dismiss`,
  params: noticeParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['origin_not_allowed'],
});

/** What the account's members should know. Owners with a verified address get it by e-mail too. */
export function listNoticesRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(listContract, async ({ principal }) => {
    const notices = await ownAccountOf(deps, principal).notices();
    const body = notices.map(({ id, kind, endpointId, url, isGone, createdAtMs }) => ({
      id,
      kind,
      endpoint_id: endpointId,
      url,
      is_gone: isGone,
      created_at: timestamp(createdAtMs),
    }));
    return { status: 200, body: { notices: body } };
  });
}

/** Hides a notice from all members. A second request changes nothing. */
export function dismissNoticeRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(dismissContract, async ({ principal, params }) => {
    await ownAccountOf(deps, principal).dismissNotice(params.notice_id);
    return noContent();
  });
}
