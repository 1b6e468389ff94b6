import { migrationOf } from './migration-of.ts';
import type { Mutant } from './mutant.ts';

const CLAIM = 'packages/persistence/src/drive/claim.ts';
const DIAL_PERMIT = 'packages/calls/src/drive/dial-permit.ts';
const DIAL_WINDOW = 'packages/calls/src/drive/dial-window.ts';
const ALLOWED_LATELY = 'return this.#isAttemptSent || elapsedMs(this.#clock, this.#allowedAt) < DIAL_PERMIT_MS;';
/** The verdict on a dial without its check for a pause. */
const UNPAUSED_VERDICT = `
          WHEN t.end_requested_at IS NOT NULL OR NOT t.enabled THEN 'cancelled'
          WHEN t.expires_at <= t.now THEN 'queue_expired'
          ELSE 'claimed'`;
const SETTLE = 'packages/persistence/src/drive/settle.ts';

/** The safeguards that give a call to one driver, once, and end it once. */
export const DRIVE_MUTANTS = {
  claim_once: {
    guarantee: 'a claim takes only a call that is queued',
    patches: [
      {
        file: CLAIM,
        find: `          WHEN t.status NOT IN \${sqlStatusesBefore('claimed')} AND t.lease_expires_at > t.now THEN 'leased'
          WHEN t.status NOT IN \${sqlStatusesBefore('claimed')} THEN 'lease_over'
`,
        replace: '',
      },
    ],
    profile: 'many_drivers',
    seed: 14,
  },
  claim_in_time: {
    guarantee: 'a claim takes no expired call',
    patches: [{ file: CLAIM, find: 't.expires_at <= t.now OR ', replace: '' }],
    profile: 'slow_queue',
    seed: 3,
  },
  end_unclaimed_only: {
    guarantee: 'a request to end a call settles it directly only while it is unclaimed',
    patches: [
      {
        file: 'packages/persistence/src/drive/end-store.ts',
        find: 'FROM timed t WHERE t.status IN ${ENDS_AT_ONCE}',
        replace: `FROM timed t WHERE t.status NOT IN \${sqlStatusesIn('over')}`,
      },
    ],
    profile: 'many_drivers',
    seed: 7,
  },
  settle_once: {
    guarantee: 'a settled call is not settled again',
    patches: [
      {
        file: SETTLE,
        find: 'FROM locked l JOIN input i ON i.id = l.id WHERE l.is_open',
        replace: 'FROM locked l JOIN input i ON i.id = l.id',
      },
    ],
    profile: 'lost_answers',
    seed: 1,
  },
  dial_deadline: {
    guarantee: 'nothing is sent once the right to dial may have expired',
    patches: [
      {
        file: DIAL_PERMIT,
        find: 'return isWanted() && isUsable(clock, this.#claimSentAt, leaseTimes);',
        replace: 'return isWanted();',
      },
      // A second requirement of a dial has a shorter limit.
      { file: DIAL_WINDOW, find: ALLOWED_LATELY, replace: 'return true;' },
    ],
    profile: 'many_drivers',
    seed: 48,
  },
  paused_claim: {
    guarantee: 'nothing is claimed while dialing is paused',
    patches: [
      {
        file: CLAIM,
        find: `          \${DIAL_VERDICT}\n        END AS outcome`,
        replace: `${UNPAUSED_VERDICT} END AS outcome`,
      },
    ],
    profile: 'pauses',
    seed: 2,
  },
  paused_dial: {
    guarantee: 'a call that was claimed before a pause is not dialed during it',
    patches: [{ file: DIAL_WINDOW, find: ALLOWED_LATELY, replace: 'return true;' }],
    profile: 'pauses',
    seed: 35,
  },
  paused_reclaim: {
    guarantee: 'a call that a pause held back is not dialed before the pause ends',
    patches: [
      {
        file: 'packages/persistence/src/drive/reclaim.ts',
        find: `CASE \${DIAL_VERDICT} END AS verdict`,
        replace: `CASE ${UNPAUSED_VERDICT} END AS verdict`,
      },
    ],
    profile: 'pauses',
    seed: 35,
  },
  paused_attempt: {
    guarantee: 'no dial attempt begins while dialing is paused',
    patches: [
      {
        file: migrationOf('FUNCTION', 'begin_attempts'),
        find: `(SELECT s.dialling_paused FROM system_settings s WHERE s.id = 1) AS is_paused`,
        replace: 'false AS is_paused',
      },
    ],
    profile: 'paused_trunks',
    seed: 175,
  },
  dial_mark: {
    guarantee: 'a call whose claim was forgotten is not dialed again',
    patches: [
      {
        file: 'packages/reservations/src/dial-marks.ts',
        find: `return reply === 'OK';`,
        replace: `return reply === 'OK' || reply === null;`,
      },
    ],
    profile: 'lossy_postgres',
    seed: 2,
  },
  leg_on_record: {
    guarantee: 'a leg is stored before anything is sent for it',
    patches: [
      {
        file: migrationOf('FUNCTION', 'begin_attempts'),
        find: 'SET carrier = i.carrier, dialog = i.dialog',
        replace: 'SET carrier = i.carrier, dialog = NULL',
      },
    ],
    profile: 'orphans',
    seed: 40,
  },
  answer_on_record: {
    guarantee: 'an answer is acknowledged only once it is stored',
    patches: [
      {
        file: 'packages/calls/src/drive/call-record.ts',
        find: 'recorded: () => inOrder(async () => NOTHING_TO_WRITE),',
        replace: 'recorded: async () => undefined,',
      },
    ],
    profile: 'orphans',
    seed: 4,
  },
} satisfies Readonly<Record<string, Mutant>>;
