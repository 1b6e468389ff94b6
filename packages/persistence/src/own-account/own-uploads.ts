import type { CampaignId } from '@outdial/contracts';
import type { ContactCursor } from '../campaigns/read-campaigns.ts';
import { contactFieldsOf, readResults, type ContactFields, type ResultRecord } from '../campaigns/read-results.ts';
import {
  findUpload,
  listUploads,
  readUploadErrors,
  type ErrorPosition,
  type UploadPage,
  type UploadRecord,
} from '../campaigns/read-uploads.ts';
import { removeSomeFailed } from '../campaigns/sweep-uploads.ts';
import { beginUpload, type BeginUploadOutcome, type UploadProblem } from '../campaigns/uploads.ts';
import type { OwnContext } from './own-context.ts';

/** Files of contacts to the account's campaigns, and what came of the contacts. */
export interface OwnUploads {
  /** Each is audited once it is ready. */
  begin(campaignId: CampaignId, input: { readonly fileName: string | null }): Promise<BeginUploadOutcome>;
  /** Removes contacts of failed uploads, a bounded number. Returns whether there may be more. */
  removeSome(campaignId: CampaignId): Promise<boolean>;
  /** Null if the account has no such campaign, or it has no such upload. */
  find(campaignId: CampaignId, number: number): Promise<UploadRecord | null>;
  /** Newest first. Of a campaign that is the account's own. */
  page(campaignId: CampaignId, input: { readonly before: number | null; readonly limit: number }): Promise<UploadPage>;
  /** By line. Of an upload that is the account's own: see `find`. */
  errors(
    campaignId: CampaignId,
    number: number,
    input: { readonly after: ErrorPosition | null; readonly limit: number },
  ): Promise<readonly UploadProblem[]>;
  /** In the order in which they are called. Of a campaign that is the account's own. */
  results(
    campaignId: CampaignId,
    input: { readonly after: ContactCursor | null; readonly limit: number },
  ): Promise<readonly ResultRecord[]>;
  /** What its contacts have besides their numbers. Of a campaign that is the account's own. */
  contactFields(campaignId: CampaignId): Promise<ContactFields>;
}

export function ownUploads(context: OwnContext): OwnUploads {
  const { database, accountId } = context;
  return {
    begin: (campaignId, input) => beginUpload(context, campaignId, input),
    removeSome: (campaignId) => removeSomeFailed(database, campaignId),
    find: (campaignId, number) => findUpload(database, { accountId, campaignId, number }),
    page: (campaignId, input) => listUploads(database, campaignId, input),
    errors: (campaignId, number, input) => readUploadErrors(database, { campaignId, number }, input),
    results: (campaignId, input) => readResults(database, campaignId, input),
    contactFields: (campaignId) => contactFieldsOf(database, campaignId),
  };
}
