export { presentCall } from './present-call.ts';
export { OVER_CAMPAIGNS, presentCampaign } from './present-campaign.ts';
export { presentEvent } from './present-event.ts';
export { timestamp, timestampOrNull } from './timestamp.ts';
