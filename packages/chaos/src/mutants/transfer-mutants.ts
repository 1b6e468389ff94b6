import { migrationOf } from './migration-of.ts';
import type { Mutant } from './mutant.ts';

const SETTLE = 'packages/persistence/src/drive/settle.ts';
const CURRENT = `SELECT g.generation = given.generation AND given.timeline = postgres_timeline() INTO is_current FROM gate g WHERE g.id = 1;
  IF NOT is_current THEN
    RETURN QUERY SELECT 'gate_stale', owner.ends;
    RETURN;
  END IF;
  must_wait`;

/** The safeguards of the second leg of a call: dialed once, charged once, and held for as long as it is open. */
export const TRANSFER_MUTANTS = {
  transfer_charged: {
    guarantee: 'a call is charged for its second leg too',
    patches: [{ file: SETTLE, find: ' + COALESCE(s.cost_micros, 0) AS cost_micros', replace: ' AS cost_micros' }],
    profile: 'transfers',
    seed: 1,
  },
  transfer_settled: {
    guarantee: 'a second leg is settled in the statement that ends its call',
    patches: [
      {
        file: SETTLE,
        find: 'cost_micros = o.cost_micros, settled_at = clock_timestamp()',
        replace: 'cost_micros = 0, settled_at = clock_timestamp()',
      },
    ],
    profile: 'transfers',
    seed: 1,
  },
  transfer_held: {
    guarantee: 'a rebuilt gate holds the second legs of open calls',
    patches: [
      {
        file: 'packages/persistence/src/reconcile/snapshot.ts',
        find: 'FROM transfer_legs t JOIN calls c ON c.id = t.call_id WHERE t.settled_at IS NULL',
        replace: 'FROM transfer_legs t JOIN calls c ON c.id = t.call_id WHERE false',
      },
    ],
    profile: 'transfer_rebuilds',
    seed: 2,
  },
  transfer_freed: {
    guarantee: 'the hold of a second leg is freed, also when its release was lost',
    patches: [
      {
        file: 'packages/persistence/src/reconcile/reconcile-store.ts',
        find: 'SELECT i.position, t.id, c.account_id, t.settled_at IS NULL',
        replace: 'SELECT i.position, t.id, c.account_id, true',
      },
    ],
    profile: 'transfer_orphans',
    seed: 43,
  },
  transfer_once: {
    guarantee: 'a model that asks for a transfer twice at once reaches one telephone',
    patches: [
      {
        file: 'packages/calls/src/drive/leg-transfer.ts',
        find: '    if (this.#isPending) return;\n    this.#isPending = true;\n    this.#wish = wish',
        replace: '    this.#isPending = true;\n    this.#wish = wish',
      },
      {
        file: migrationOf('FUNCTION', 'begin_transfer_leg'),
        find: `  must_wait := must_wait
    OR EXISTS (SELECT FROM transfer_legs t WHERE t.call_id = given.call_id AND t.ended_at IS NULL);
`,
        replace: '',
      },
      {
        file: 'prisma/migrations/20261219000220_transfer_legs/migration.sql',
        find: 'CREATE UNIQUE INDEX "transfer_legs_up_key" ON "transfer_legs"("call_id") WHERE "ended_at" IS NULL;',
        replace: '',
      },
    ],
    profile: 'transfers',
    seed: 1,
  },
  transfer_generation: {
    guarantee: 'a second leg that an earlier generation of the gate granted is rejected',
    patches: [
      {
        file: migrationOf('FUNCTION', 'begin_transfer_leg'),
        find: CURRENT,
        replace: 'must_wait',
      },
    ],
    profile: 'transfer_rebuilds',
    seed: 1,
  },
  transfer_on_record: {
    guarantee: 'a second leg is stored before anything is sent for it',
    patches: [
      {
        file: migrationOf('FUNCTION', 'begin_transfer_attempt'),
        find: 'trunk = given.trunk, dialog = given.dialog WHERE',
        replace: 'trunk = given.trunk, dialog = NULL WHERE',
      },
    ],
    profile: 'transfer_orphans',
    seed: 11,
  },
  transfer_ended: {
    guarantee: 'a call that is taken over ends with its second leg',
    patches: [
      {
        file: 'packages/calls/src/reconcile/take-over-calls.ts',
        find: 'orphan.legs.filter(({ endedAtMs }) => endedAtMs === null)',
        replace: 'orphan.legs.filter(() => false)',
      },
    ],
    profile: 'transfer_orphans',
    seed: 11,
  },
} satisfies Readonly<Record<string, Mutant>>;
