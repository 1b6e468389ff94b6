import type { Mutant } from './mutant.ts';

const LUA = 'packages/reservations/src/lua';
const CLAIM = 'packages/persistence/src/drive/claim.ts';

/** The safeguards of lines: a call that a model conducts runs only with them, and none is given out twice. */
export const LINE_MUTANTS = {
  line_full: {
    guarantee: 'a line that is full is given to no call',
    patches: [
      {
        file: `${LUA}/includes/call-lines.lua`,
        find: `  if readCount(keys.credentials, 'used:' .. line.name) >= places then
    return 'full'
  end
`,
        replace: '',
      },
    ],
    profile: 'lines',
    seed: 1,
  },
  line_counted: {
    guarantee: 'a call that gets a line takes a place of it',
    patches: [
      {
        file: `${LUA}/includes/call-lines.lua`,
        find: "  redis.call('HINCRBY', credentialsKey, 'used:' .. name, 1)\n",
        replace: '',
      },
    ],
    profile: 'lines',
    seed: 1,
  },
  line_restore: {
    guarantee: 'a rebuild restores the lines of open calls',
    patches: [
      {
        file: `${LUA}/restore-lines-3.lua`,
        find: 'while index <= #ARGV do',
        replace: 'while false do',
      },
    ],
    profile: 'lines',
    seed: 2,
  },
  line_swept: {
    guarantee: 'the lines of a call that is over are free',
    patches: [
      {
        file: `${LUA}/includes/call-lines.lua`,
        find: '    if reservationOf(keys.holds, callId) == record.reservationId then',
        replace: '    if true then',
      },
    ],
    profile: 'lines',
    seed: 1,
  },
  line_token: {
    guarantee: 'a claim with lines of an earlier generation is rejected',
    patches: [{ file: CLAIM, find: `          WHEN \${IS_STALE} THEN 'gate_stale'\n`, replace: '' }],
    profile: 'lines',
    seed: 1,
  },
  line_share: {
    guarantee: 'an account takes at most half of a line while another waits for it',
    patches: [
      {
        file: `${LUA}/includes/call-lines.lua`,
        find: `    and anotherWaits(keys.credentials, line.name, accountId)
`,
        replace: '    and false\n',
      },
    ],
    profile: 'full_lines',
    seed: 1,
  },
  line_needed: {
    guarantee: 'a call that needs lines is not claimed without them',
    patches: [
      {
        file: CLAIM,
        find: `          WHEN j.lines IS NULL THEN 'lines_needed'\n`,
        replace: `          WHEN j.lines IS NULL THEN 'claimed'\n`,
      },
    ],
    profile: 'lines',
    seed: 1,
  },
  driver_known: {
    guarantee: 'a call is claimed only by a worker that knows its driver',
    patches: [{ file: CLAIM, find: `          WHEN NOT j.knows_driver THEN 'driver_unknown'\n`, replace: '' }],
    profile: 'lines',
    seed: 74,
  },
} satisfies Readonly<Record<string, Mutant>>;
