import { campaignParamsSchema, campaignUploadListSchema, campaignUploadsQuerySchema } from '@outdial/contracts';
import { defineDashboardContract, defineDashboardRoute, NO_BODY, type Route } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { campaignOf } from '../../routes/campaigns/handlers.ts';
import { presentRecord } from '../../routes/campaigns/present-upload.ts';

const PAGE = 20;

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/campaigns/:campaign_id/uploads',
  params: campaignParamsSchema,
  query: campaignUploadsQuerySchema,
  body: NO_BODY,
  responses: { 200: campaignUploadListSchema },
  errors: ['campaign_not_found'],
});

/** What came to a campaign: files, and contacts as JSON. */
export function listUploadsRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, params: { campaign_id: id }, query }) => {
    const { campaigns, uploads } = ownAccountOf(deps, principal);
    await campaignOf(campaigns, id);
    const page = await uploads.page(id, { before: query.before ?? null, limit: PAGE });
    const last = page.uploads.at(-1);
    return {
      status: 200,
      body: {
        uploads: page.uploads.map(presentRecord),
        next_before: page.hasMore && last ? String(last.number) : null,
      },
    };
  });
}
