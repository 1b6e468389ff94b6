import type { CampaignRefusal } from '@outdial/calls';
import { CAMPAIGN_LIMITS } from '@outdial/contracts';
import type { AddContactsOutcome, CampaignOutcome, DeleteCampaignOutcome } from '@outdial/persistence';
import { unreachable } from '@outdial/kernel';
import { ApiError, invalidRequest } from '../../http/api-error.ts';
import { refusalOf } from '../create-call/refusal.ts';

type Refused =
  | Exclude<CampaignOutcome, { readonly kind: 'changed' | 'unchanged' }>
  | Exclude<AddContactsOutcome, { readonly kind: 'added' }>;

const LATER_SECONDS = 60;

export function campaignRefusal(refused: Refused): ApiError {
  switch (refused.kind) {
    case 'not_found':
      return campaignNotFound();
    case 'campaign_state':
      return new ApiError({
        code: refused.kind,
        publicMessage: `The campaign is ${refused.state}, so this is not possible. Nothing was changed.`,
        details: { state: refused.state },
      });
    case 'campaign_empty':
      return new ApiError({
        code: refused.kind,
        publicMessage: 'The campaign has no contacts. Add some, then start it.',
      });
    case 'upload_in_progress':
      return new ApiError({
        code: refused.kind,
        publicMessage: 'A file of contacts is still being received. Retry once that is over.',
      });
    case 'too_many_campaigns':
      return new ApiError({
        code: refused.kind,
        publicMessage:
          refused.limit === CAMPAIGN_LIMITS.running
            ? `Your account runs ${refused.limit} campaigns, the most that run at once. Pause one, or wait for its end.`
            : `Your account has ${refused.limit} campaigns, the most that it may have. Delete one that you need no more.`,
        details: { limit: refused.limit },
        retryAfterSeconds: LATER_SECONDS,
      });
    case 'too_many_contacts':
      return new ApiError({
        code: refused.kind,
        publicMessage: `A campaign may have ${refused.limit} contacts, and with these it could have more. None was added.`,
        details: { limit: refused.limit },
      });
    default:
      return unreachable(refused);
  }
}

/** Of a deletion: says what to do first. */
export function deletionRefusal(refused: Exclude<DeleteCampaignOutcome, { readonly kind: 'deleted' }>): ApiError {
  if (refused.kind !== 'campaign_state') return campaignRefusal(refused);
  const { state } = refused;
  const advice = state === 'cancelling' ? 'Retry once it is cancelled.' : 'Cancel it first, then delete it.';
  return new ApiError({
    code: refused.kind,
    publicMessage: `The campaign is ${state}. ${advice} Nothing was changed.`,
    details: { state },
  });
}

/** The same for a campaign that never existed and for another account’s: a client cannot tell them apart. */
export function campaignNotFound(): ApiError {
  return new ApiError({
    code: 'campaign_not_found',
    publicMessage: 'Your account has no campaign with this id. Check campaign_id.',
    param: 'campaign_id',
  });
}

export function planRefusal(refusal: CampaignRefusal): ApiError {
  return refusal.kind === 'invalid_request' ? invalidRequest(refusal.details) : refusalOf(refusal);
}
