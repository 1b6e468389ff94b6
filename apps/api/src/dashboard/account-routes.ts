import type { Route } from '../http/define-route.ts';
import type { OwnAccountDeps } from '../http/own-account.ts';
import type { ListCallsDeps } from '../routes/list-calls/handler.ts';
import { listAccountAuditRoute } from './audit/audit.ts';
import { listCallSummariesRoute } from './calls/list-call-summaries.ts';
import { exportCallsRoute, type ExportCallsDeps } from './calls/export-calls.ts';
import { followChangesRoute, type FollowChangesDeps } from './calls/follow-changes.ts';
import { listUploadsRoute } from './campaigns/list-uploads.ts';
import { getFirstRunRoute, setFirstRunRoute } from './first-run/first-run.ts';
import { updatePhoneNumberRoute } from './phone-numbers/update-phone-number.ts';
import { ownRequestRoutes } from './requests/own-requests.ts';
import { dismissNoticeRoute, listNoticesRoute } from './notices/notices.ts';
import { getTotalsRoute } from './totals/get-totals.ts';
import { getSpendRoute } from './wallet/get-spend.ts';
import type { WebhookDeps } from '../routes/webhooks/webhook-deps.ts';
import { getWebhookActivityRoute, listDeliveriesOfCallRoute } from './webhooks/webhook-activity.ts';

export interface AccountRoutesDeps
  extends OwnAccountDeps, ExportCallsDeps, FollowChangesDeps, ListCallsDeps, WebhookDeps {}

/** What members read and change in their account, besides the routes of the public interface. */
export function accountRoutes(deps: AccountRoutesDeps): readonly Route[] {
  return [
    listAccountAuditRoute(deps),
    getFirstRunRoute(deps),
    setFirstRunRoute(deps),
    updatePhoneNumberRoute(deps),
    getSpendRoute(deps),
    listCallSummariesRoute(deps),
    getTotalsRoute(deps),
    exportCallsRoute(deps),
    followChangesRoute(deps),
    listNoticesRoute(deps),
    dismissNoticeRoute(deps),
    listDeliveriesOfCallRoute(deps),
    getWebhookActivityRoute(deps),
    listUploadsRoute(deps),
    ...ownRequestRoutes(deps),
  ];
}
