import {
  addContactsSchema,
  campaignColumnsSchema,
  campaignContactListSchema,
  campaignContactSchema,
  campaignEnvelopeSchema,
  campaignListSchema,
  campaignProgressSchema,
  campaignSchema,
  campaignUploadEnvelopeSchema,
  campaignWindowSchema,
  cancelCampaignSchema,
  createCampaignSchema,
  updateCampaignSchema,
  uploadProblemSchema,
} from '@outdial/contracts';

/** The bodies of campaigns, by their names in the reference. */
export const CAMPAIGN_REQUESTS = {
  CreateCampaign: createCampaignSchema,
  UpdateCampaign: updateCampaignSchema,
  CancelCampaign: cancelCampaignSchema,
  AddContacts: addContactsSchema,
};

export const CAMPAIGN_RESPONSES = {
  CampaignColumns: campaignColumnsSchema,
  CampaignWindow: campaignWindowSchema,
  CampaignProgress: campaignProgressSchema,
  Campaign: campaignSchema,
  CampaignEnvelope: campaignEnvelopeSchema,
  CampaignList: campaignListSchema,
  CampaignContact: campaignContactSchema,
  CampaignContactList: campaignContactListSchema,
  UploadProblem: uploadProblemSchema,
  CampaignUploadEnvelope: campaignUploadEnvelopeSchema,
};
