import { noticeListSchema, noticeParamsSchema, type NoticeBody } from '@outdial/contracts';
import type { NoticeRecord } from '@outdial/persistence';
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
    return { status: 200, body: { notices: notices.map(presentNotice) } };
  });
}

/** Hides a notice from all members. A second request changes nothing. */
export function dismissNoticeRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(dismissContract, async ({ principal, params }) => {
    await ownAccountOf(deps, principal).dismissNotice(params.notice_id);
    return noContent();
  });
}

function presentNotice(notice: NoticeRecord): NoticeBody {
  const { id, createdAtMs } = notice;
  const head = { id, created_at: timestamp(createdAtMs) };
  if (notice.about === 'campaign') {
    const { kind, campaignId, campaignName, fileName } = notice;
    return { ...head, kind, campaign_id: campaignId, campaign_name: campaignName, file_name: fileName };
  }
  const { kind, endpointId, url, isGone } = notice;
  return { ...head, kind, endpoint_id: endpointId, url, is_gone: isGone };
}
