import { createFormContext } from '@mantine/form';
import type { CampaignDraft } from '../draft/campaign-draft.ts';

/** Shares the form of a campaign with its groups of fields. */
export const [CampaignFormProvider, useCampaignFormContext, useCampaignForm] = createFormContext<CampaignDraft>();
