import {
  addContactsSchema,
  campaignContactListSchema,
  campaignContactSchema,
  campaignEnvelopeSchema,
  campaignListSchema,
  campaignProgressSchema,
  campaignSchema,
  campaignUploadEnvelopeSchema,
  cancelCampaignSchema,
  createCampaignSchema,
  updateCampaignSchema,
  uploadProblemSchema,
} from '@outdial/contracts';
import type { z } from 'zod';

/** Request schemas of campaigns, by their names in the document. */
export const CAMPAIGN_REQUESTS: Readonly<Record<string, z.ZodType>> = {
  CreateCampaign: createCampaignSchema,
  UpdateCampaign: updateCampaignSchema,
  CancelCampaign: cancelCampaignSchema,
  AddContacts: addContactsSchema,
};

/** Response schemas of campaigns. */
export const CAMPAIGN_RESPONSES: Readonly<Record<string, z.ZodType>> = {
  Campaign: campaignSchema,
  CampaignProgress: campaignProgressSchema,
  CampaignEnvelope: campaignEnvelopeSchema,
  CampaignList: campaignListSchema,
  CampaignContact: campaignContactSchema,
  CampaignContactList: campaignContactListSchema,
  ContactUploadEnvelope: campaignUploadEnvelopeSchema,
  ContactProblem: uploadProblemSchema,
};
