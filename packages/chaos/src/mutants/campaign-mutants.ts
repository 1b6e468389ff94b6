import { migrationOf } from './migration-of.ts';
import type { Mutant } from './mutant.ts';

const ADMIT_CALLS = migrationOf('FUNCTION', 'admit_calls');
const STOCK_CAMPAIGN = migrationOf('FUNCTION', 'stock_campaign');
const TAKE_LANE_CALLS = migrationOf('FUNCTION', 'take_lane_calls');
const HAS_CAMPAIGN_WORK = migrationOf('FUNCTION', 'has_campaign_work');
const CLAIM = 'packages/persistence/src/drive/claim.ts';
const SUCCESSORS = 'packages/persistence/src/drive/successors.ts';
const SWEEP = 'packages/persistence/src/campaigns/sweep-campaigns.ts';

/** The safeguards of campaigns: each contact is called as often as was asked, and only while they run. */
export const CAMPAIGN_MUTANTS = {
  campaign_admit_state: {
    guarantee: 'a call that was taken before a pause or a cancellation is not admitted after it',
    patches: [
      {
        file: ADMIT_CALLS,
        find: `g.id = c.campaign_id AND g.state = 'running' AND`,
        replace: 'g.id = c.campaign_id AND',
      },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_admit_end: {
    guarantee: 'a call that was taken before the end of its campaign is not admitted after it',
    patches: [{ file: ADMIT_CALLS, find: ' AND (g.ends_at IS NULL OR g.ends_at > t.now)', replace: '' }],
    profile: 'campaigns_without_stores',
    seed: 1,
  },
  campaign_stock_state: {
    guarantee: 'a campaign that does not run makes no calls of its contacts',
    patches: [
      {
        file: STOCK_CAMPAIGN,
        find: `g.id = campaign AND g.account_id = account AND g.state = 'running'`,
        replace: 'g.id = campaign AND g.account_id = account',
      },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_stock_epoch: {
    guarantee: 'a turn that is over makes no calls of contacts',
    patches: [
      {
        file: STOCK_CAMPAIGN,
        find: `  PERFORM FROM dial_turns t
  WHERE t.account_id = account AND t.epoch = turn AND t.held_until > clock_timestamp() FOR SHARE;
  IF NOT FOUND THEN RETURN 0; END IF;
`,
        replace: '',
      },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_take_state: {
    guarantee: 'a turn takes calls only of campaigns that run',
    patches: [{ file: TAKE_LANE_CALLS, find: `g.id = lane AND g.state = 'running'`, replace: 'g.id = lane' }],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_dial_state: {
    guarantee: 'a call that was queued before a pause or a cancellation is not dialed after it',
    patches: [
      {
        file: CLAIM,
        find: `          WHEN t.campaign_forbids IN ('over', 'paused') THEN \${sqlReason('cancelled')}\n`,
        replace: '',
      },
    ],
    profile: 'held_campaigns',
    seed: 1,
  },
  campaign_dial_hours: {
    guarantee: 'a call that was queued before the hours of its campaign closed is not dialed after it',
    patches: [
      {
        file: CLAIM,
        find: `          WHEN t.campaign_forbids = 'closed' THEN \${sqlReason('outside_calling_window')}\n`,
        replace: '',
      },
    ],
    profile: 'held_campaigns',
    seed: 1,
  },
  campaign_dial_attempt: {
    guarantee: 'no dial attempt of a campaign begins once it calls no more',
    patches: [
      {
        file: migrationOf('FUNCTION', 'begin_attempts'),
        find: `
        OR c.campaign_id IS NOT NULL AND campaign_forbids(c.campaign_id, moment) IS NOT NULL`,
        replace: '',
      },
    ],
    profile: 'held_trunks',
    seed: 1,
  },
  campaign_given_back: {
    guarantee: 'a contact whose call was withdrawn before its dial is called again',
    patches: [{ file: SUCCESSORS, find: `(e.gives_back\n          OR s.retry`, replace: '(s.retry' }],
    profile: 'held_campaigns',
    seed: 1,
  },
  campaign_given_back_attempts: {
    guarantee: 'a call that was withdrawn is none of the attempts that were asked for',
    patches: [{ file: SUCCESSORS, find: `s.attempt - s.given_back < (s.retry`, replace: 's.attempt < (s.retry' }],
    profile: 'held_campaigns',
    seed: 1,
  },
  campaign_contact_id: {
    guarantee: 'a contact that is stocked again after commits were lost gets the same call',
    patches: [
      {
        file: STOCK_CAMPAIGN,
        find: 'contact_call_id(t.campaign_id, t.upload, t.line) AS call_id',
        replace: 'gen_random_uuid() AS call_id',
      },
    ],
    profile: 'lossy_campaigns',
    seed: 1,
  },
  campaign_cursor: {
    guarantee: 'the cursor passes each contact once',
    patches: [
      {
        file: STOCK_CAMPAIGN,
        find: 'SET cursor_upload = x.upload, cursor_line = x.line, passed',
        replace: 'SET passed',
      },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_attempt: {
    guarantee: 'an attempt at a contact is one call, even if the cursor stands still and ids are not derived',
    patches: [
      {
        file: 'prisma/migrations/20261218000101_campaigns/migration.sql',
        find: 'CREATE UNIQUE INDEX "call_schedules_attempt_key"',
        replace: 'CREATE INDEX "call_schedules_attempt_key"',
      },
      {
        file: STOCK_CAMPAIGN,
        find: 'SET cursor_upload = x.upload, cursor_line = x.line, passed = n.passed + x.contacts',
        replace: 'SET passed = x.contacts',
      },
      {
        file: STOCK_CAMPAIGN,
        find: 'contact_call_id(t.campaign_id, t.upload, t.line) AS call_id',
        replace: 'gen_random_uuid() AS call_id',
      },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_upload_ready: {
    guarantee: 'no contact of an upload is called before it is ready',
    patches: [
      {
        file: STOCK_CAMPAIGN,
        find: `
        AND (SELECT u.state FROM campaign_uploads u WHERE u.campaign_id = c.campaign_id AND u.number = c.upload) = 'ready'
        AND c.upload <= (SELECT max(r.number) FROM campaign_uploads r WHERE r.campaign_id = campaign AND r.state = 'ready')`,
        replace: '',
      },
      {
        file: migrationOf('FUNCTION', 'lanes_of'),
        find: `
          AND t.upload <= (SELECT max(r.number) FROM campaign_uploads r WHERE r.campaign_id = l.campaign_id AND r.state = 'ready')`,
        replace: '',
      },
    ],
    profile: 'campaigns_without_stores',
    seed: 1,
  },
  campaign_upload_over: {
    guarantee: 'a campaign that is over takes no contacts',
    patches: [
      {
        file: migrationOf('FUNCTION', 'finish_upload'),
        find: `    WHEN found_state IN ('cancelling', 'cancelled', 'completed') THEN 'campaign_state'\n`,
        replace: '',
      },
    ],
    profile: 'campaigns_without_stores',
    seed: 1,
  },
  campaign_upload_under_way: {
    guarantee: 'a campaign is not completed while an upload is under way',
    patches: [
      {
        file: HAS_CAMPAIGN_WORK,
        find: `    OR EXISTS (SELECT FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'receiving')
    OR EXISTS (
      SELECT FROM calls c`,
        replace: `    OR EXISTS (
      SELECT FROM calls c`,
      },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_open_calls: {
    guarantee: 'a campaign is not completed before its last call has ended',
    patches: [
      {
        file: HAS_CAMPAIGN_WORK,
        find: `    OR EXISTS (
      SELECT FROM calls c WHERE c.campaign_id = campaign AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL)
`,
        replace: '',
      },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_over_retry: {
    guarantee: 'a call of a campaign that is over is not retried',
    patches: [
      {
        file: SUCCESSORS,
        find: `
        AND NOT EXISTS (
          SELECT FROM campaigns g WHERE g.id = s.campaign_id AND g.state IN ('cancelling', 'cancelled', 'completed'))`,
        replace: '',
      },
    ],
    profile: 'campaigns_without_stores',
    seed: 1,
  },
  campaign_over_stock: {
    guarantee: 'what a campaign had scheduled ends once it is cancelled',
    patches: [
      {
        file: SWEEP,
        find: `WHERE g.state IN ('cancelling', 'cancelled', 'completed') OR`,
        replace: 'WHERE',
      },
    ],
    profile: 'campaigns_without_stores',
    seed: 1,
  },
} satisfies Readonly<Record<string, Mutant>>;
