import { z } from 'zod';
import { accountIdSchema } from '../ids.ts';
import { trunkNameSchema } from '../trunk-name.ts';

const timestamp = z.iso.datetime({ precision: 3 });

export const WORKER_STATES = ['taking', 'draining', 'drained', 'silent'] as const;

export const workerSchema = z.strictObject({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  started_at: timestamp,
  /** `silent`: it has told nothing for ten seconds; others end its calls once their leases are over. */
  seen_at: timestamp,
  state: z.enum(WORKER_STATES),
  live_calls: z.int(),
  concurrency: z.int(),
  /** Since the lease of any of its calls was renewed last, the longest. Null: it has none. */
  oldest_lease_seconds: z.number().nullable(),
});
export type WorkerBody = z.output<typeof workerSchema>;

export const trunkConditionSchema = z.strictObject({
  name: trunkNameSchema,
  enabled: z.boolean(),
  channels: z.int(),
  calls_per_second: z.int(),
  in_use: z.int(),
  /** What each worker that told lately knows of it. */
  conditions: z.array(
    z.strictObject({
      worker_id: z.string(),
      state: z.enum(['up', 'unreachable', 'congested', 'unauthorized']),
      detail: z.string().nullable(),
    }),
  ),
});
export type TrunkConditionBody = z.output<typeof trunkConditionSchema>;

/** `GET /api/dashboard/operations`, for operators. Null where Redis is away. */
export const operationsSchema = z.strictObject({
  dialling: z.strictObject({
    paused: z.boolean(),
    /** Of the last change. Null: there was none. */
    changed_at: timestamp.nullable(),
    changed_by: z.string().nullable(),
  }),
  workers: z.array(workerSchema),
  gate: z.strictObject({ open: z.boolean(), generation: z.int(), slots_in_use: z.int() }).nullable(),
  /** As Postgres has them. */
  calls: z.strictObject({
    open: z.int(),
    queued: z.int(),
    limit: z.int(),
    orphaned: z.int(),
    oldest_queued_seconds: z.number(),
  }),
  /** Of the accounts that have calls open. */
  funds: z.array(z.strictObject({ currency: z.string(), held: z.number(), balance: z.number() })),
  /** Slots that the gate holds beside those of Postgres: for more than a moment, something is wrong. */
  drift_slots: z.int().nullable(),
  queue: z.strictObject({ waiting: z.int(), delayed: z.int(), active: z.int() }).nullable(),
  trunks: z.array(trunkConditionSchema),
  /** Of the last hour by minute, the oldest first: from acceptance to the dial. Minutes without calls are left out. */
  waiting: z.array(z.strictObject({ at: timestamp, calls: z.int(), p50_ms: z.number(), p95_ms: z.number() })),
});
export const operationsEnvelopeSchema = z.strictObject({ operations: operationsSchema });
export type OperationsBody = z.output<typeof operationsSchema>;

/** `PUT /api/dashboard/operations/dialling`. Within a second no worker begins another dial. */
export const setDiallingSchema = z.strictObject({ paused: z.boolean() });

/** `PATCH /api/dashboard/operations/workers/{worker_id}`. Draining: it takes no more calls and ends those it has. */
export const setWorkerSchema = z.strictObject({ draining: z.boolean() });

/** `GET /api/dashboard/operations/accounts`, oldest first. */
export const operatedAccountSchema = z.strictObject({
  id: accountIdSchema,
  name: z.string(),
  currency: z.string(),
  enabled: z.boolean(),
  balance: z.number(),
  capacity: z.int(),
  created_at: timestamp,
});
export const operatedAccountListSchema = z.strictObject({ accounts: z.array(operatedAccountSchema) });
export type OperatedAccountBody = z.output<typeof operatedAccountSchema>;

export const TOP_UP_AMOUNT_RULE =
  'must be an amount above 0 and below 1000000000, with at most six decimals, such as 25.00';

/** `POST /api/dashboard/operations/accounts/{account_id}/top-ups`. Repeating it under the same key adds nothing. */
export const topUpSchema = z.strictObject({
  amount: z.string().regex(/^\d{1,9}(?:\.\d{1,6})?$/, TOP_UP_AMOUNT_RULE),
  idempotency_key: z.string().regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters'),
});
export const toppedUpSchema = z.strictObject({ account: operatedAccountSchema, repeated: z.boolean() });
