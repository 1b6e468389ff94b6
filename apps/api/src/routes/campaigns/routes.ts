import type { AccountRoute } from '../../http/define-route.ts';
import { addContactsRoute, listContactsRoute } from './contacts.ts';
import {
  createCampaignRoute,
  getCampaignRoute,
  listCampaignsRoute,
  updateCampaignRoute,
  type CampaignDeps,
} from './handlers.ts';
import { cancelCampaignRoute, pauseCampaignRoute, resumeCampaignRoute, startCampaignRoute } from './steer.ts';

export function campaignRoutes(deps: CampaignDeps): readonly AccountRoute[] {
  return [
    createCampaignRoute(deps),
    listCampaignsRoute(deps),
    getCampaignRoute(deps),
    updateCampaignRoute(deps),
    startCampaignRoute(deps),
    pauseCampaignRoute(deps),
    resumeCampaignRoute(deps),
    cancelCampaignRoute(deps),
    addContactsRoute(deps),
    listContactsRoute(deps),
  ];
}
