import { migrationOf } from './migration-of.ts';
import type { Mutant } from './mutant.ts';

const STOCK_CAMPAIGN = migrationOf('FUNCTION', 'stock_campaign');
const TAKE_LANE_CALLS = migrationOf('FUNCTION', 'take_lane_calls');
const SUCCESSORS = 'packages/persistence/src/drive/successors.ts';
const SHARE_OUT = 'packages/calls/src/schedule/share-out.ts';
const ADMIT_CAMPAIGN = 'packages/calls/src/schedule/admit-campaign.ts';

/** The safeguards of what bounds campaigns, of their counts, and of what moves them on. */
export const CAMPAIGN_BOUND_MUTANTS = {
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
        find: `  FROM campaigns g, (SELECT date_trunc('milliseconds', moment) AS due_at) x WHERE g.id = campaign
  ON CONFLICT`,
        replace: `  FROM campaigns g, (SELECT date_trunc('milliseconds', moment) AS due_at) x WHERE g.id = campaign AND false
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
