import * as fc from 'fast-check';
import type { AccountLimits, GateSnapshot, GateToken, ReleaseInput, ReserveInput, SystemLimits } from '@outdial/calls';
import { accountIdSchema, callIdSchema, micros, reservationIdSchema } from '@outdial/contracts';

/** One step of the random walk. */
export type Operation =
  /** In one turn: they go to Redis together. */
  | { readonly kind: 'reserve'; readonly inputs: readonly ReserveInput[] }
  | { readonly kind: 'enlarge'; readonly input: ReserveInput }
  | { readonly kind: 'release'; readonly input: ReleaseInput }
  | { readonly kind: 'loadAccount'; readonly token: GateToken | 'current'; readonly limits: AccountLimits }
  | { readonly kind: 'refreshAccount'; readonly limits: AccountLimits }
  | { readonly kind: 'refreshSystem'; readonly limits: SystemLimits }
  | { readonly kind: 'close'; readonly token: GateToken | 'current' }
  | { readonly kind: 'beginRebuild' }
  /** `ticketAge` 0 is the last ticket that was given out. */
  | { readonly kind: 'abandonRebuild'; readonly ticketAge: number }
  | { readonly kind: 'publish'; readonly ticketAge: number; readonly snapshot: GateSnapshot }
  | { readonly kind: 'flush' | 'becomeForeign' | 'ageMark' | 'flushScripts' };

// A handful of each: the walk must meet the same ids again and again.
const uuid = (group: number, index: number) => `00000000-0000-4000-8000-0000000${group}000${index}`;
const accountIds = [0, 1, 2].map((index) => accountIdSchema.parse(uuid(2, index)));
const reservationIds = [0, 1, 2].map((index) => reservationIdSchema.parse(uuid(3, index)));
/** Two of each account. */
const owned = accountIds.flatMap((accountId, owner) =>
  [0, 1].map((nth) => ({
    callId: callIdSchema.parse(uuid(1, 2 * owner + nth)),
    accountId,
    reservationId: reservationIdSchema.parse(uuid(3, 0)),
  })),
);
const callIds = owned.map(({ callId: id }) => id);

const callId = fc.constantFrom(...callIds);
const accountId = fc.constantFrom(...accountIds);
const reservationId = fc.constantFrom(...reservationIds);
// More often than not what is held, which chance alone would hardly ever meet.
const attempt = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...owned) },
  { weight: 1, arbitrary: fc.record({ callId, accountId, reservationId }) },
);
const amount = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 30 }).map(micros) },
  // Near the bound, where a double that was rounded would show.
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }).map((below) => micros(2n ** 53n - BigInt(below))) },
);
const balance = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -20, max: 100 }).map(micros) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }).map((below) => micros(2n ** 53n - BigInt(below))) },
);
const version = fc.integer({ min: 1, max: 12 });
const token = fc.record({
  generation: fc.integer({ min: 1, max: 60 }),
  walTimeline: fc.constantFrom('00000001', '00000002', '0000000A', '00000010'),
});
const currentOrAny = fc.oneof(
  { weight: 3, arbitrary: fc.constant('current' as const) },
  { weight: 1, arbitrary: token },
);

const reserveInput = fc.tuple(attempt, amount).map(([ids, holdMicros]) => ({ ...ids, holdMicros }));
// Most alone, some with others: of the same call, of the same account, of another.
const reserveInputs = fc.oneof(
  { weight: 2, arbitrary: reserveInput.map((input) => [input]) },
  { weight: 1, arbitrary: fc.array(reserveInput, { minLength: 2, maxLength: 6 }) },
);
const releaseInput: fc.Arbitrary<ReleaseInput> = fc
  .tuple(attempt, fc.option(fc.record({ balanceMicros: balance, balanceVersion: version })))
  .map(([ids, changed]) => (changed === null ? ids : { ...ids, balance: changed }));
const capacity = fc.integer({ min: 0, max: 4 });
const limitsFor = (id: (typeof accountIds)[number]): fc.Arbitrary<AccountLimits> =>
  fc.record({
    accountId: fc.constant(id),
    balanceMicros: balance,
    balanceVersion: version,
    capacity,
    capacityVersion: version,
  });
const limits = accountId.chain(limitsFor);
const system = fc.record({ capacity: fc.integer({ min: 0, max: 6 }), capacityVersion: version });

// Holds of a snapshot stay small: their sum is an amount too.
const snapshot: fc.Arbitrary<GateSnapshot> = fc
  .tuple(fc.subarray(accountIds, { minLength: 1 }), fc.subarray(callIds))
  .chain(([accounts, calls]) =>
    fc.record({
      token,
      system,
      accounts: fc.tuple(...accounts.map(limitsFor)),
      holds: fc.tuple(
        ...calls.map((id) =>
          fc.record({
            callId: fc.constant(id),
            accountId: fc.constantFrom(...accounts),
            reservationId,
            holdMicros: fc.integer({ min: 0, max: 30 }).map(micros),
          }),
        ),
      ),
    }),
  );

const kind = <Kind extends Operation['kind']>(value: Kind) => fc.constant(value);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ kind: kind('reserve'), inputs: reserveInputs }) },
  { weight: 45, arbitrary: fc.record({ kind: kind('enlarge'), input: reserveInput }) },
  { weight: 20, arbitrary: fc.record({ kind: kind('release'), input: releaseInput }) },
  { weight: 12, arbitrary: fc.record({ kind: kind('loadAccount'), token: currentOrAny, limits }) },
  { weight: 10, arbitrary: fc.record({ kind: kind('refreshAccount'), limits }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('refreshSystem'), limits: system }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('close'), token: currentOrAny }) },
  { weight: 12, arbitrary: fc.record({ kind: kind('beginRebuild') }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('abandonRebuild'), ticketAge: fc.nat({ max: 2 }) }) },
  { weight: 12, arbitrary: fc.record({ kind: kind('publish'), ticketAge: fc.nat({ max: 2 }), snapshot }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('flush') }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('becomeForeign') }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('ageMark') }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('flushScripts') }) },
);

/** Most walks find the gate open at first: by chance alone it would be closed most of the time. */
export const walk: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(fc.option(snapshot), fc.array(operation, { minLength: 1, maxLength: 160, size: 'max' }))
  .map(([opening, operations]) => {
    if (opening === null) return operations;
    return [{ kind: 'beginRebuild' }, { kind: 'publish', ticketAge: 0, snapshot: opening }, ...operations];
  });
