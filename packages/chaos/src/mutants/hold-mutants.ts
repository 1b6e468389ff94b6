import { migrationOf } from './migration-of.ts';
import type { Mutant } from './mutant.ts';

const LUA = 'packages/reservations/src/lua';
const SETTLE = 'packages/persistence/src/drive/settle.ts';

/** The safeguards that keep a call within its hold, and both stores consistent about it. */
export const HOLD_MUTANTS = {
  enlarge_generation: {
    guarantee: 'a hold that an earlier generation of the gate enlarged is rejected',
    patches: [
      {
        file: migrationOf('FUNCTION', 'enlarge_holds'),
        find: `      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM jsonb_to_recordset(batch) AS r(id uuid, epoch int, hold_micros`,
        replace: `      true AS is_current
    FROM jsonb_to_recordset(batch) AS r(id uuid, epoch int, hold_micros`,
      },
    ],
    profile: 'growing_holds',
    seed: 134,
  },
  enlarge_absolute: {
    guarantee: 'a hold is set to an amount, not increased by one',
    patches: [
      {
        file: 'packages/reservations/src/scripts/enlarge.ts',
        find: '[input.callId, input.accountId, input.reservationId, holdArgument(input.holdMicros)]',
        replace: "[input.callId, input.accountId, input.reservationId, holdArgument(input.holdMicros), '120']",
      },
      {
        file: `${LUA}/enlarge-3.lua`,
        find: 'local growth = amount - hold.amount',
        replace: 'local growth = toNatural(ARGV[5])',
      },
      { file: `${LUA}/enlarge-3.lua`, find: 'hold.amount = amount\n', replace: 'hold.amount = hold.amount + growth\n' },
    ],
    profile: 'bit_by_bit',
    seed: 3,
  },
  enlarge_only: {
    guarantee: 'a late enlargement does not make a hold smaller',
    patches: [
      {
        file: `${LUA}/enlarge-3.lua`,
        find: `if growth <= 0 then
  return { 'enlarged', token }
end
`,
        replace: '',
      },
    ],
    profile: 'bit_by_bit',
    seed: 20,
  },
  cost_within_hold: {
    guarantee: 'a cost is limited to the hold',
    patches: [
      {
        file: SETTLE,
        find: 'LEAST(COALESCE(i.cost_micros, 0), f.hold_micros) +',
        replace: 'COALESCE(i.cost_micros, 0) +',
      },
      {
        file: 'packages/calls/src/pricing.ts',
        find: 'micros(fullMicros < holdMicros ? fullMicros : holdMicros)',
        replace: 'micros(fullMicros)',
      },
    ],
    profile: 'out_of_funds',
    seed: 36,
  },
} satisfies Readonly<Record<string, Mutant>>;
