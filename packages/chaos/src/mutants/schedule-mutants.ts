import { migrationOf } from './migration-of.ts';
import type { Mutant } from './mutant.ts';

const SUCCESSORS = 'packages/persistence/src/drive/successors.ts';

/** The safeguards of calls that are dialed later: admitted once, by the turn with the right to, and retried once. */
export const SCHEDULE_MUTANTS = {
  admit_token: {
    guarantee: 'a call is admitted only by the turn that took it last',
    patches: [
      {
        file: migrationOf('FUNCTION', 'admit_calls'),
        find: 's.admit_token = i.admit_token AND ',
        replace: '',
      },
    ],
    profile: 'schedules',
    seed: 1,
  },
  admit_in_time: {
    guarantee: 'a call that was taken is admitted in its time or not at all',
    patches: [
      {
        file: migrationOf('FUNCTION', 'admit_calls'),
        find: 's.admitting_until > t.now AND ',
        replace: '',
      },
    ],
    profile: 'schedules_without_stores',
    seed: 1,
  },
  admit_generation: {
    guarantee: 'a reservation of an earlier generation of the gate admits no call',
    patches: [
      {
        file: migrationOf('FUNCTION', 'admit_calls'),
        find: `      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM json_to_recordset(batch) AS r(
      id uuid, admit_token uuid,`,
        replace: `      true AS is_current
    FROM json_to_recordset(batch) AS r(
      id uuid, admit_token uuid,`,
      },
    ],
    profile: 'schedules_without_stores',
    seed: 72,
  },
  turn_epoch: {
    guarantee: 'a turn that is over takes no calls',
    patches: [
      {
        file: migrationOf('FUNCTION', 'take_lane_calls'),
        find: `  WHERE t.account_id = account AND t.epoch = turn AND t.held_until > clock_timestamp() FOR SHARE;
  IF NOT FOUND THEN RETURN; END IF;`,
        replace: `  WHERE t.account_id = account AND t.held_until > clock_timestamp() FOR SHARE;
  IF NOT FOUND THEN RETURN; END IF;`,
      },
    ],
    profile: 'schedules_without_stores',
    seed: 1,
  },
  turn_of_request: {
    guarantee: 'a scheduled call makes its account due in the same statement',
    patches: [
      {
        file: migrationOf('FUNCTION', 'schedule_calls'),
        find: `SELECT d.account_id, d.at, d.at, '-infinity' FROM due d`,
        replace: `SELECT d.account_id, d.at, d.at, '-infinity' FROM due d WHERE false`,
      },
    ],
    profile: 'schedules',
    seed: 1,
  },
  turn_of_retry: {
    guarantee: 'a retry makes its account due in the same statement',
    patches: [
      {
        file: SUCCESSORS,
        find: `SELECT d.account_id, d.at, d.at, '-infinity' FROM turns_due d`,
        replace: `SELECT d.account_id, d.at, d.at, '-infinity' FROM turns_due d WHERE false`,
      },
    ],
    profile: 'schedules',
    seed: 2,
  },
  retry_id: {
    guarantee: 'a retry that is made again after commits were lost is the same call',
    patches: [
      {
        file: SUCCESSORS,
        find: 'successor_call_id(r.retry_of) AS id',
        replace: 'gen_random_uuid() AS id',
      },
    ],
    profile: 'lossy_schedules',
    seed: 1,
  },
  retry_requested: {
    guarantee: 'an end that was requested is not retried',
    patches: [{ file: SUCCESSORS, find: 'NOT e.is_requested AND ', replace: '' }],
    profile: 'schedules',
    seed: 1,
  },
  retry_attempts: {
    guarantee: 'there are no more attempts than were asked for',
    patches: [
      { file: SUCCESSORS, find: ` AND s.attempt - s.given_back < (s.retry->>'max_attempts')::int`, replace: '' },
    ],
    profile: 'schedules',
    seed: 1,
  },
  late_reservation: {
    guarantee: 'a reservation that the gate makes late, for a call that waits for a slot, is given up',
    patches: [
      {
        file: 'packages/calls/src/accept/accept-call.ts',
        find: 'return { ...pending, reservationId: deps.newReservationId() };',
        replace: 'return pending;',
      },
    ],
    profile: 'schedules',
    seed: 1,
  },
  open_calls: {
    guarantee: 'a scheduled call is no open call of the gate',
    patches: [
      {
        file: 'packages/persistence/src/reconcile/snapshot.ts',
        find: 'WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL',
        replace: 'WHERE c.ended_at IS NULL',
      },
    ],
    profile: 'schedules_without_stores',
    seed: 3,
  },
} satisfies Readonly<Record<string, Mutant>>;
