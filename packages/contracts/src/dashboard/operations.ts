import { z } from 'zod';
import { CAMPAIGN_STATES } from '../campaigns.ts';
import { trunkNameSchema } from '../trunk-name.ts';

const timestamp = z.iso.datetime({ precision: 3 });

export const WORKER_STATES = ['taking', 'draining', 'drained', 'silent'] as const;

export const workerSchema = z.strictObject({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  started_at: timestamp,
  /** `silent`: no report for ten seconds; other workers end its calls once their leases expire. */
  seen_at: timestamp,
  state: z.enum(WORKER_STATES),
  live_calls: z.int(),
  concurrency: z.int(),
  /** The longest time since the last lease renewal of any of its calls. Null: it has no calls. */
  oldest_lease_seconds: z.number().nullable(),
});
export type WorkerBody = z.output<typeof workerSchema>;

export const trunkConditionSchema = z.strictObject({
  name: trunkNameSchema,
  enabled: z.boolean(),
  channels: z.int(),
  calls_per_second: z.int(),
  in_use: z.int(),
  /** The condition as seen by each worker that reported recently. */
  conditions: z.array(
    z.strictObject({
      worker_id: z.string(),
      state: z.enum(['up', 'unreachable', 'congested', 'unauthorized']),
      detail: z.string().nullable(),
    }),
  ),
});
export type TrunkConditionBody = z.output<typeof trunkConditionSchema>;

const scheduledCounts = {
  scheduled: z.int(),
  /** Their time has come: those that wait for a slot or for funds, too. */
  due: z.int(),
  /** Due for more than five seconds. */
  late: z.int(),
  /** Since when the first of them is due. Null: none is. */
  oldest_due_at: timestamp.nullable(),
};

/** `GET /api/dashboard/operations`, for operators. Fields from Redis are null while Redis is away. */
export const operationsSchema = z.strictObject({
  dialling: z.strictObject({
    paused: z.boolean(),
    /** Time of the last change. Null: there was none. */
    changed_at: timestamp.nullable(),
    changed_by: z.string().nullable(),
  }),
  workers: z.array(workerSchema),
  gate: z.strictObject({ open: z.boolean(), generation: z.int(), slots_in_use: z.int() }).nullable(),
  /** From Postgres. */
  calls: z.strictObject({
    open: z.int(),
    queued: z.int(),
    limit: z.int(),
    orphaned: z.int(),
    oldest_queued_seconds: z.number(),
  }),
  /** For the accounts that have open calls. */
  funds: z.array(z.strictObject({ currency: z.string(), held: z.number(), balance: z.number() })),
  /** Slots that the gate holds in excess of Postgres. A value that stays above 0 is a problem. */
  drift_slots: z.int().nullable(),
  queue: z.strictObject({ waiting: z.int(), delayed: z.int(), active: z.int() }).nullable(),
  trunks: z.array(trunkConditionSchema),
  /** The last hour by minute, oldest first: from acceptance to dial. Minutes without calls are omitted. */
  waiting: z.array(z.strictObject({ at: timestamp, calls: z.int(), p50_ms: z.number(), p95_ms: z.number() })),
  /** At most ten seconds old. Null: not read yet. */
  schedule: z
    .strictObject({
      ...scheduledCounts,
      /** The ten accounts with the most calls that are late, then due, then scheduled. */
      accounts: z.array(z.strictObject({ account_id: z.guid(), name: z.string(), ...scheduledCounts })),
      /** Of campaigns that are neither drafts nor over. */
      campaigns: z.array(z.strictObject({ state: z.enum(CAMPAIGN_STATES), campaigns: z.int() })),
    })
    .nullable(),
});
export const operationsEnvelopeSchema = z.strictObject({ operations: operationsSchema });
export type OperationsBody = z.output<typeof operationsSchema>;

/** `PUT /api/dashboard/operations/dialling`. Within a second, no worker begins another dial. */
export const setDiallingSchema = z.strictObject({ paused: z.boolean() });

/** `PATCH /api/dashboard/operations/workers/{worker_id}`. A draining worker takes no more calls and finishes its own. */
export const setWorkerSchema = z.strictObject({ draining: z.boolean() });
