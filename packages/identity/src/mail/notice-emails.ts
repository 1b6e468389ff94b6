import { unreachable } from '@outdial/kernel';
import type { CampaignNoticeKind, EndpointNoticeKind } from '@outdial/contracts';
import { oneLine } from './emails.ts';
import type { Email } from './mailer.ts';

interface Addressee {
  readonly accountId: string;
  readonly accountName: string;
}

export interface EndpointNoticeText extends Addressee {
  readonly kind: EndpointNoticeKind;
  readonly endpointId: string;
  readonly url: string;
  /** The receiver answered 410. */
  readonly isGone: boolean;
}

export interface CampaignNoticeText extends Addressee {
  readonly kind: CampaignNoticeKind;
  readonly campaignId: string;
  readonly campaignName: string;
  /** Of an upload that failed, if it was given. */
  readonly fileName: string | null;
}

const CLOSING = 'You receive this e-mail because you own the account.';

export function endpointNoticeEmail(publicUrl: string, to: string, notice: EndpointNoticeText): Email {
  const { kind, accountId, endpointId } = notice;
  const [account, url] = [oneLine(notice.accountName), oneLine(notice.url)];
  const link = `${publicUrl}/accounts/${accountId}/webhooks/${endpointId}`;
  const closing = `Its deliveries and their errors are here:

${link}

${CLOSING}
`;
  if (kind === 'webhook_endpoint_failing') {
    const text = `Webhooks of the account "${account}" at Outdial have failed for a day. The endpoint does not accept them:

${url}

Outdial tries again for now. It disables the endpoint after five days without a success, once 20 attempts have failed. ${closing}`;
    return { to, subject: 'A webhook endpoint is failing', text, link };
  }
  const cause = notice.isGone ? 'its receiver answered 410 Gone' : 'it failed for five days, at least 20 times';
  const text = `Outdial has disabled a webhook endpoint of the account "${account}" because ${cause}:

${url}

It receives nothing until an owner enables it. A replay then sends what it missed. ${closing}`;
  return { to, subject: 'A webhook endpoint was disabled', text, link };
}

export function campaignNoticeEmail(publicUrl: string, to: string, notice: CampaignNoticeText): Email {
  const { accountId, campaignId } = notice;
  const link = `${publicUrl}/accounts/${accountId}/campaigns/${campaignId}`;
  const { subject, happened, advice } = wordsOf(notice);
  const text = `${happened}

${advice}

${link}

${CLOSING}
`;
  return { to, subject, text, link };
}

interface Words {
  readonly subject: string;
  readonly happened: string;
  readonly advice: string;
}

function wordsOf({ kind, accountName, campaignName, fileName }: CampaignNoticeText): Words {
  const campaign = `The campaign "${oneLine(campaignName)}" of the account "${oneLine(accountName)}" at Outdial`;
  switch (kind) {
    case 'campaign_completed':
      return {
        subject: 'A campaign is completed',
        happened: `${campaign} is completed. It makes no more calls.`,
        advice: 'What became of each contact is here:',
      };
    case 'campaign_budget':
      return {
        subject: 'A campaign has used up its budget',
        happened: `${campaign} has used up its budget, and is paused.`,
        advice: 'To go on, raise the budget and resume the campaign:',
      };
    case 'campaign_funds':
      return {
        subject: 'A campaign waits for funds',
        happened: `${campaign} has waited for ten minutes, because the balance of the account does not cover another call.`,
        advice: 'Once there are funds, it goes on by itself. How far it is:',
      };
    case 'campaign_upload_failed': {
      const file = fileName === null ? 'A file of contacts' : `The file "${oneLine(fileName)}"`;
      return {
        subject: 'A file of contacts did not arrive',
        happened: `${file} for a campaign broke off before its end, so nothing of it was added. ${campaign} does not call these contacts.`,
        advice: 'Send the file again:',
      };
    }
    default:
      return unreachable(kind);
  }
}
