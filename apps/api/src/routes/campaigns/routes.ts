import type { AccountRoute } from '../../http/define-route.ts';
import { addContactsRoute, listContactsRoute } from './contacts.ts';
import {
  createCampaignRoute,
  deleteCampaignRoute,
  getCampaignRoute,
  listCampaignsRoute,
  updateCampaignRoute,
} from './handlers.ts';
import { cancelCampaignRoute, pauseCampaignRoute, resumeCampaignRoute, startCampaignRoute } from './steer.ts';
import type { ReceiveContactsDeps } from './receive-contacts.ts';
import { getResultsRoute } from './results.ts';
import { getUploadErrorsRoute, getUploadRoute, type UploadRouteDeps } from './uploads.ts';

export interface CampaignRoutesDeps extends ReceiveContactsDeps, UploadRouteDeps {}

export function campaignRoutes(deps: CampaignRoutesDeps): readonly AccountRoute[] {
  return [
    createCampaignRoute(deps),
    listCampaignsRoute(deps),
    getCampaignRoute(deps),
    updateCampaignRoute(deps),
    startCampaignRoute(deps),
    pauseCampaignRoute(deps),
    resumeCampaignRoute(deps),
    cancelCampaignRoute(deps),
    deleteCampaignRoute(deps),
    addContactsRoute(deps),
    listContactsRoute(deps),
    getUploadRoute(deps),
    getUploadErrorsRoute(deps),
    getResultsRoute(deps),
  ];
}
