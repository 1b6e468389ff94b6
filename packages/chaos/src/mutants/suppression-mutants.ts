import { migrationOf } from './migration-of.ts';
import type { Mutant } from './mutant.ts';

const SUPPRESSIONS_OF = migrationOf('FUNCTION', 'suppressions_of');
const IS_SUPPRESSED = 'EXISTS (SELECT FROM suppressions_of(r.account_id, r.callee_number)) AS is_suppressed';

/** The safeguards of do-not-call lists: who is on one is not dialed, and who asks for it gets on one. */
export const SUPPRESSION_MUTANTS = {
  suppressed_verdict: {
    guarantee: 'a number that is listed when its call is claimed, or claimed again, is not dialed',
    patches: [
      {
        file: 'packages/persistence/src/drive/claim.ts',
        find: `          WHEN EXISTS (SELECT FROM suppressions_of(t.account_id, t.callee_number)) THEN \${sqlReason('suppressed')}\n`,
        replace: '',
      },
    ],
    profile: 'suppressions',
    seed: 1,
  },
  suppressed_dial: {
    guarantee: 'a dial begins within a second of the last look at the lists',
    patches: [
      {
        file: 'packages/calls/src/drive/dial-window.ts',
        find: 'export const DIAL_PERMIT_MS = 1_000;',
        replace: 'export const DIAL_PERMIT_MS = 20_000;',
      },
    ],
    profile: 'suppressions',
    seed: 1,
  },
  suppressed_attempt: {
    guarantee: 'no dial attempt begins for a number that was listed after the claim',
    patches: [
      {
        file: migrationOf('FUNCTION', 'begin_attempts'),
        find: 'i.is_paused OR EXISTS (SELECT FROM suppressions_of(c.account_id, c.callee_number))',
        replace: 'i.is_paused',
      },
    ],
    profile: 'suppressed_trunks',
    seed: 1,
  },
  suppressed_accept: {
    guarantee: 'no call to a listed number is accepted',
    patches: [
      {
        file: migrationOf('FUNCTION', 'accept_calls'),
        find: `${IS_SUPPRESSED},\n      EXISTS (SELECT FROM caps_reached`,
        replace: 'false AS is_suppressed,\n      EXISTS (SELECT FROM caps_reached',
      },
    ],
    profile: 'suppressions',
    seed: 1,
  },
  suppressed_schedule: {
    guarantee: 'no call to a listed number is scheduled',
    patches: [
      {
        file: migrationOf('FUNCTION', 'schedule_calls'),
        find: `${IS_SUPPRESSED}\n    FROM`,
        replace: 'false AS is_suppressed\n    FROM',
      },
    ],
    profile: 'suppressions',
    seed: 1,
  },
  suppressed_admit: {
    guarantee: 'a call to a number that was listed since it was scheduled is not admitted',
    patches: [
      {
        file: migrationOf('FUNCTION', 'admit_calls'),
        find: `            WHEN EXISTS (SELECT FROM suppressions_of(c.account_id, c.callee_number)) THEN 'suppressed'\n`,
        replace: '',
      },
    ],
    profile: 'suppressions',
    seed: 1,
  },
  suppressed_platform: {
    guarantee: 'the list of the platform binds every account',
    patches: [
      {
        file: SUPPRESSIONS_OF,
        find: 'COALESCE(s.account_id = account, true)',
        replace: 's.account_id = account',
      },
    ],
    profile: 'suppressions',
    seed: 1,
  },
  suppressed_removed: {
    guarantee: 'a number that was taken off its list is called again',
    patches: [{ file: SUPPRESSIONS_OF, find: 's.removed_at IS NULL AND ', replace: '' }],
    profile: 'suppressions',
    seed: 1,
  },
  opt_out_settled: {
    guarantee: 'an opt-out that was not stored during its call is stored with its end',
    patches: [
      {
        file: 'packages/persistence/src/drive/settle.ts',
        find: '${inputs.some(optsOut) ? OPT_OUTS : Prisma.empty}',
        replace: '',
      },
    ],
    profile: 'suppressions',
    seed: 1,
  },
  opt_out_retry: {
    guarantee: 'an opt-out that could not be stored is stored later during its call',
    patches: [
      {
        file: 'packages/calls/src/drive/call-record.ts',
        find: 'store.optOut(heard)',
        replace: 'store.optOut(heard).catch(() => NOTHING_TO_WRITE)',
      },
    ],
    profile: 'suppressions',
    seed: 1,
  },
  opt_out_fenced: {
    guarantee: 'an opt-out that a driver heard before it lost its call is stored all the same',
    patches: [
      {
        file: 'packages/calls/src/drive/drive-call.ts',
        find: '    if (optOut && fenced.aborted) await keepOptOut(deps, optOut, logger, entry.abandoned.signal);\n',
        replace: '',
      },
    ],
    profile: 'suppressed_trunks',
    seed: 1,
  },
} satisfies Readonly<Record<string, Mutant>>;
