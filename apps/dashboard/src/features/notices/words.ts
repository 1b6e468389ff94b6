import type { NoticeBody } from '@outdial/contracts';

interface Words {
  readonly title: string;
  /** What it is about, before the text. */
  readonly about: string;
  /** What happened, and what to do. */
  readonly text: string;
  /** Nothing went wrong. */
  readonly isGood?: boolean;
}

export function wordsOf(notice: NoticeBody): Words {
  switch (notice.kind) {
    case 'webhook_endpoint_failing':
      return {
        title: 'A webhook endpoint is failing',
        about: notice.url,
        text: 'it has not accepted anything for a day. It is disabled after five days without a success, once 20 attempts have failed.',
      };
    case 'webhook_endpoint_disabled': {
      const cause = notice.is_gone ? 'its receiver answered 410.' : 'it failed for five days, at least 20 times.';
      return {
        title: 'A webhook endpoint was disabled',
        about: notice.url,
        text: `${cause} An owner can enable it again, and a replay sends what it missed.`,
      };
    }
    case 'campaign_completed':
      return {
        title: 'A campaign is completed',
        about: notice.campaign_name,
        text: 'it makes no more calls. Its page says what became of each contact.',
        isGood: true,
      };
    case 'campaign_budget':
      return {
        title: 'A campaign has used up its budget',
        about: notice.campaign_name,
        text: 'it is paused. Raise the budget, then resume it; or cancel it.',
      };
    case 'campaign_funds':
      return {
        title: 'A campaign waits for funds',
        about: notice.campaign_name,
        text: 'the balance of the account does not cover another call. Once there are funds, it goes on by itself.',
      };
    case 'campaign_upload_failed': {
      const file = notice.file_name === null ? 'a file of contacts' : `the file ${notice.file_name}`;
      return {
        title: 'A file of contacts did not arrive',
        about: notice.campaign_name,
        text: `${file} broke off before its end, so nothing of it was added. Send it again.`,
      };
    }
    default:
      return notice satisfies never;
  }
}
