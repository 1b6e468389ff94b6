import { migrationOf } from './migration-of.ts';
import type { Mutant } from './mutant.ts';

const CLAIM = 'packages/persistence/src/drive/claim.ts';
const RECLAIM = 'packages/persistence/src/drive/reclaim.ts';
const GRANT_DIAL = migrationOf('FUNCTION', 'grant_dial');
const IS_WINDOW_CLOSED = migrationOf('FUNCTION', 'is_window_closed');
const CLOSED_WINDOWS_OF = migrationOf('FUNCTION', 'closed_windows_of');

/** The safeguards of calling policies: no number is called outside the hours of its places, or too often. */
export const POLICY_MUTANTS = {
  window_verdict: {
    guarantee: 'a call whose hours have closed is not dialed, nor claimed again',
    patches: [
      {
        file: CLAIM,
        find: `          WHEN t.has_policy AND EXISTS (
            SELECT FROM closed_windows_of(t.account_id, t.callee_zones, t.callee_regions, t.callee_time_zone, t.now))
            THEN \${sqlReason('outside_calling_window')}\n`,
        replace: '',
      },
    ],
    profile: 'policies',
    seed: 1,
  },
  window_of_floor: {
    guarantee: 'the floor of the operator binds an account that never had a policy',
    patches: [
      {
        file: CLAIM,
        find: `a.policy_version > 0
               OR (SELECT s.policy_floor IS NOT NULL FROM system_settings s WHERE s.id = 1)`,
        replace: 'a.policy_version > 0',
      },
    ],
    profile: 'policies',
    seed: 1,
  },
  window_dial: {
    guarantee: 'a dial begins within a second of the last look at the calling hours',
    patches: [
      {
        file: 'packages/calls/src/drive/dial-window.ts',
        find: 'export const DIAL_PERMIT_MS = 1_000;',
        replace: 'export const DIAL_PERMIT_MS = 20_000;',
      },
    ],
    profile: 'policies',
    seed: 1,
  },
  window_attempt: {
    guarantee: 'no dial attempt begins once the hours have closed',
    patches: [
      {
        file: migrationOf('FUNCTION', 'begin_attempts'),
        find: `
        OR EXISTS (
          SELECT FROM closed_windows_of(c.account_id, c.callee_zones, c.callee_regions, c.callee_time_zone, moment))`,
        replace: '',
      },
    ],
    profile: 'policed_trunks',
    seed: 1,
  },
  window_zones: {
    guarantee: 'the hours are open in every time zone in which a number may be',
    patches: [
      { file: CLOSED_WINDOWS_OF, find: 'WHEN given IS NULL THEN zones', replace: 'WHEN given IS NULL THEN zones[1:1]' },
    ],
    profile: 'policies',
    seed: 1,
  },
  window_default: {
    guarantee: 'the row of a region holds besides the default',
    patches: [
      {
        file: IS_WINDOW_CLOSED,
        find: `row_keys text[] := array_append(regions, 'default');`,
        replace: `row_keys text[] := CASE WHEN settings->'windows' ?| regions THEN regions ELSE array_append(regions, 'default') END;`,
      },
    ],
    profile: 'policies',
    seed: 1,
  },
  window_given_zone: {
    guarantee: 'a given time zone is taken alone only if the floor trusts it as well',
    patches: [{ file: CLOSED_WINDOWS_OF, find: 'bool_and', replace: 'bool_or' }],
    profile: 'policies',
    seed: 1,
  },
  window_unknown_zones: {
    guarantee: 'any rule about hours closes a number whose time zones are not known',
    patches: [
      {
        file: IS_WINDOW_CLOSED,
        find: 'IF COALESCE(cardinality(zones), 0) = 0 THEN RETURN true;',
        replace: 'IF COALESCE(cardinality(zones), 0) = 0 THEN RETURN false;',
      },
    ],
    profile: 'policies',
    seed: 1,
  },
  cap: {
    guarantee: 'a number is dialed no more often than its cap allows',
    patches: [
      {
        file: GRANT_DIAL,
        find: 'IF EXISTS (SELECT FROM caps_reached(account, callee, moment, own)) THEN RETURN false; END IF;',
        replace: '',
      },
    ],
    profile: 'policies',
    seed: 1,
  },
  cap_number: {
    guarantee: 'a cap of so many calls allows no more',
    patches: [
      { file: migrationOf('FUNCTION', 'caps_reached'), find: `(c->>'max')::int - 1`, replace: `(c->>'max')::int` },
    ],
    profile: 'policies',
    seed: 1,
  },
  cap_lock: {
    guarantee: 'two workers at once share the count of a number',
    patches: [
      {
        file: GRANT_DIAL,
        find: 'k.number = callee_digits FOR NO KEY UPDATE;',
        replace: 'k.number = callee_digits;',
      },
    ],
    drill: 'cap_counted_once',
  },
  cap_own_dial: {
    guarantee: 'a call that is claimed again is not stopped by its own dial',
    patches: [
      {
        file: RECLAIM,
        find: 'j.callee_number, j.started_at, j.restarted_at',
        replace: 'j.callee_number, NULL, j.restarted_at',
      },
    ],
    profile: 'capped',
    seed: 1,
  },
  cap_own_dial_once: {
    guarantee: 'a call that is claimed again gives up no dial of another call',
    patches: [
      {
        file: GRANT_DIAL,
        find: `interval '720 hours' AND d.place IS DISTINCT FROM array_position(k.dialed_at, own)`,
        replace: `interval '720 hours' AND d.at IS DISTINCT FROM own`,
      },
    ],
    profile: 'policies',
    seed: 1,
  },
  cap_dial_moves: {
    guarantee: 'the dial of a call that is claimed again counts from then on',
    patches: [
      {
        file: GRANT_DIAL,
        find: `  -- As many as the largest cap counts, for as long as the longest period.\n`,
        replace: `  IF own IS NOT NULL THEN RETURN true; END IF;\n`,
      },
    ],
    profile: 'capped',
    seed: 1,
  },
} satisfies Readonly<Record<string, Mutant>>;
