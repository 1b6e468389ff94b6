import { migrationOf } from './migration-of.ts';
import type { Mutant } from './mutant.ts';

const ADMIT_CALLS = migrationOf('FUNCTION', 'admit_calls');
const STOCK_CAMPAIGN = migrationOf('FUNCTION', 'stock_campaign');
const TAKE_LANE_CALLS = migrationOf('FUNCTION', 'take_lane_calls');
const HAS_CAMPAIGN_WORK = migrationOf('FUNCTION', 'has_campaign_work');
const SUCCESSORS = 'packages/persistence/src/drive/successors.ts';
const SWEEP = 'packages/persistence/src/campaigns/sweep-campaigns.ts';
const SHARE_OUT = 'packages/calls/src/schedule/share-out.ts';
const ADMIT_CAMPAIGN = 'packages/calls/src/schedule/admit-campaign.ts';

/** The safeguards of campaigns: each contact is called as often as was asked, within every bound, and only while they run. */
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
  campaign_pace: {
    guarantee: 'no campaign calls faster than its pace',
    patches: [
      {
        file: TAKE_LANE_CALLS,
        find: `    UPDATE campaign_lanes n SET pace_tokens = tokens - cardinality(found_ids), pace_at = clock_timestamp()
    WHERE n.campaign_id = lane;
`,
        replace: '',
      },
    ],
    profile: 'campaign_limits',
    seed: 1,
  },
  campaign_concurrency: {
    guarantee: 'calls that an earlier turn may still admit count for the concurrency of their campaign',
    patches: [
      { file: SHARE_OUT, find: 'maxConcurrent - openCalls - admittingCalls', replace: 'maxConcurrent - openCalls' },
    ],
    profile: 'campaign_limits',
    seed: 1,
  },
  campaign_percent: {
    guarantee: 'campaigns leave the rest of the slots to single calls',
    patches: [
      {
        file: SHARE_OUT,
        find: 'Math.min(turn.freeSlots - single, turn.campaignSlots, MOST_PER_TURN - single)',
        replace: 'Math.min(turn.freeSlots - single, MOST_PER_TURN - single)',
      },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_budget: {
    guarantee: 'a campaign’s budget covers each hold',
    patches: [{ file: ADMIT_CAMPAIGN, find: 'if (holdMicros > left) return false;', replace: '' }],
    profile: 'campaign_limits',
    seed: 1,
  },
  campaign_budget_admitting: {
    guarantee: 'a campaign with a budget places no call while an earlier turn may still admit one',
    patches: [
      { file: SHARE_OUT, find: '(budgetLeftMicros <= 0n || admittingCalls > 0)', replace: 'budgetLeftMicros <= 0n' },
      { file: ADMIT_CAMPAIGN, find: 'return admittingCalls > 0 ?', replace: 'return admittingCalls > 1_000 ?' },
    ],
    profile: 'campaign_limits',
    seed: 1,
  },
  campaign_counts: {
    guarantee: 'the counts of a campaign are a recount of its calls',
    patches: [
      { file: SUCCESSORS, find: 'SET calls = k.calls + excluded.calls', replace: 'SET calls = excluded.calls' },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_final: {
    guarantee: 'a call counts as the last one of its contact only if no retry follows',
    patches: [
      {
        file: SUCCESSORS,
        find: 'SELECT e.campaign_id, e.ended_reason, n.id IS NULL, pg_backend_pid()',
        replace: 'SELECT e.campaign_id, e.ended_reason, true OR n.id IS NULL, pg_backend_pid()',
      },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_due: {
    guarantee: 'a campaign that is resumed, or gets contacts, makes its account due',
    patches: [
      {
        file: migrationOf('FUNCTION', 'make_campaign_due'),
        find: `  SELECT g.account_id, moment, moment, '-infinity' FROM campaigns g WHERE g.id = campaign
  ON CONFLICT`,
        replace: `  SELECT g.account_id, moment, moment, '-infinity' FROM campaigns g WHERE g.id = campaign AND false
  ON CONFLICT`,
      },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_new_due: {
    guarantee: 'the end of a turn misses nothing that became due during it',
    patches: [
      {
        file: migrationOf('FUNCTION', 'end_lane_turn'),
        find: `due_at = LEAST(t.new_due, COALESCE(next_due, 'infinity'))`,
        replace: `due_at = COALESCE(next_due, 'infinity')`,
      },
    ],
    profile: 'campaigns',
    seed: 1,
  },
  campaign_stock_lock: {
    guarantee: 'two stocks at once pass each contact once',
    patches: [
      {
        file: STOCK_CAMPAIGN,
        find: `    AND (g.ends_at IS NULL OR g.ends_at > clock_timestamp()) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;`,
        replace: `    AND (g.ends_at IS NULL OR g.ends_at > clock_timestamp());
  IF NOT FOUND THEN RETURN 0; END IF;`,
      },
    ],
    drill: 'campaign_stocked_once',
  },
  campaign_second_look: {
    guarantee: 'a campaign that gets a contact while it is judged is not completed',
    patches: [
      {
        file: migrationOf('FUNCTION', 'move_campaigns'),
        find: 'SELECT g.id, g.account_id FROM campaigns g WHERE g.id = ANY (ARRAY(',
        replace:
          'SELECT g.id, g.account_id, next_campaign_state(g.id) AS next FROM campaigns g WHERE g.id = ANY (ARRAY(',
      },
      {
        file: migrationOf('FUNCTION', 'move_campaigns'),
        find: '    IF is_campaign_free(candidate.id, candidate.account_id) THEN',
        replace: `    PERFORM set_config('outdial.next', candidate.next, true);
    IF is_campaign_free(candidate.id, candidate.account_id) THEN`,
      },
      {
        file: migrationOf('FUNCTION', 'move_campaign'),
        find: 'next_state := next_campaign_state(campaign);',
        replace: `next_state := NULLIF(current_setting('outdial.next', true), '');`,
      },
    ],
    drill: 'campaign_completed_anew',
  },
} satisfies Readonly<Record<string, Mutant>>;
