import type { AccountLimits } from '@outdial/calls';
import { formatDecimal, MAX_MICROS, micros, type AccountId, type CallId, type Micros } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { Prisma } from '../generated/client.ts';
import { limitsOf } from '../reconcile/limits.ts';
import { sqlStateOf } from '../sql-state.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { accountNotFound, refusal } from './refusal.ts';

export interface WalletRecord {
  readonly accountId: AccountId;
  readonly currency: string;
  readonly balanceMicros: Micros;
  /** Reserved by the holds of open calls and tries. */
  readonly heldMicros: Micros;
  readonly availableMicros: Micros;
}

export interface LedgerRecord {
  /** Rises with time; the value of `before`. */
  readonly id: string;
  readonly kind: 'top_up' | 'call_charge' | 'analysis_charge' | 'try_charge';
  /** Signed: a top-up is positive, a charge negative. */
  readonly amountMicros: Micros;
  readonly callId: CallId | null;
  readonly idempotencyKey: string | null;
  readonly createdAtMs: number;
}

export interface TopUpInput {
  readonly accountId: AccountId;
  /** Greater than 0. */
  readonly amountMicros: Micros;
  /** A repeat with the same key returns the first entry. A different amount with that key is rejected. */
  readonly idempotencyKey: string;
}

export interface TopUpResult {
  readonly entry: LedgerRecord;
  readonly repeated: boolean;
  /** For the gate's `refreshAccount`. */
  readonly limits: AccountLimits;
}

export interface WalletAdministration {
  topUp(input: TopUpInput): Promise<TopUpResult>;
  show(accountId: AccountId): Promise<WalletRecord>;
  /** Newest first. */
  ledger(input: {
    readonly accountId: AccountId;
    readonly before?: string;
    readonly limit: number;
  }): Promise<readonly LedgerRecord[]>;
}

type LedgerRow = Omit<LedgerRecord, 'id' | 'amountMicros'> & { readonly id: bigint; readonly amountMicros: bigint };

function toEntry(row: LedgerRow): LedgerRecord {
  return { ...row, id: row.id.toString(), amountMicros: micros(row.amountMicros) };
}

const ENTRY_COLUMNS = Prisma.sql`
  e.id, e.kind, e.amount_micros AS "amountMicros", e.call_id AS "callId", e.idempotency_key AS "idempotencyKey",
  epoch_ms(e.created_at) AS "createdAtMs"`;

export function administerWallets(context: AdministrationContext): WalletAdministration {
  const { side } = context.database;
  return {
    topUp: (input) => topUp(context, input),
    async show(accountId) {
      const [row] = await side.$queryRaw<{ currency: string; balanceMicros: bigint; heldMicros: bigint }[]>`
        SELECT a.currency, w.balance_micros AS "balanceMicros", COALESCE((
          SELECT sum(c.hold_micros + transfer_hold_of(c.id)) FROM calls c WHERE c.account_id = a.id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL
        ), 0)::bigint + COALESCE((
          SELECT sum(t.hold_micros) FROM agent_tries t WHERE t.account_id = a.id AND t.ended_at IS NULL
        ), 0)::bigint AS "heldMicros"
        FROM accounts a JOIN wallets w ON w.account_id = a.id WHERE a.id = ${accountId}::uuid`;
      if (!row) throw accountNotFound(accountId);
      const { currency, balanceMicros, heldMicros } = row;
      return {
        accountId,
        currency,
        balanceMicros: micros(balanceMicros),
        heldMicros: micros(heldMicros),
        availableMicros: micros(balanceMicros - heldMicros),
      };
    },
    async ledger({ accountId, before, limit }) {
      const older = before === undefined ? Prisma.empty : Prisma.sql`AND e.id < ${before}::bigint`;
      const rows = await side.$queryRaw<LedgerRow[]>`
        SELECT ${ENTRY_COLUMNS} FROM ledger_entries e
        WHERE e.account_id = ${accountId}::uuid ${older} ORDER BY e.id DESC LIMIT ${limit}::int`;
      return rows.map(toEntry);
    },
  };
}

async function topUp(context: AdministrationContext, input: TopUpInput): Promise<TopUpResult> {
  const { accountId, amountMicros, idempotencyKey } = input;
  const { side } = context.database;
  const added = await credit(context, input);
  // A separate statement, which sees the entry of a concurrent top-up that the insert had to wait for.
  const [row] = await side.$queryRaw<LedgerRow[]>`
    SELECT ${ENTRY_COLUMNS} FROM ledger_entries e
    WHERE e.account_id = ${accountId}::uuid AND e.idempotency_key = ${idempotencyKey}`;
  if (!row) throw accountNotFound(accountId);
  if (row.amountMicros !== amountMicros) {
    const message = 'This idempotency key belongs to a top-up with another amount. Use a new key for a new top-up.';
    throw refusal('idempotency_key_reused', 'idempotency_key', message);
  }
  const [limits] = await limitsOf(context.database, [accountId]);
  invariant(limits, 'an account with a top-up exists');
  return { entry: toEntry(row), repeated: !added, limits };
}

/**
 * Returns whether this statement added the entry. The balance changes only with a new entry. Scheduled calls that wait for
 * funds have their turn half a second later: the gate learns the balance before that.
 */
async function credit({ database: { side }, actor }: AdministrationContext, input: TopUpInput): Promise<boolean> {
  const { accountId, amountMicros, idempotencyKey } = input;
  const data = { amount_micros: amountMicros.toString(), idempotency_key: idempotencyKey };
  try {
    const credited = await side.$queryRaw<unknown[]>`
      WITH changed AS (
        INSERT INTO ledger_entries (account_id, kind, amount_micros, idempotency_key)
        SELECT w.account_id, 'top_up', ${amountMicros}::bigint, ${idempotencyKey}
        FROM wallets w WHERE w.account_id = ${accountId}::uuid
        ON CONFLICT (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
        RETURNING account_id, amount_micros
      ), ${auditPart(actor, { action: 'wallet.top_up', subjectId: accountId, data })}, credited AS (
        UPDATE wallets w SET balance_micros = w.balance_micros + c.amount_micros, version = w.version + 1
        FROM changed c WHERE w.account_id = c.account_id
        RETURNING w.account_id
      ), turn AS (
        UPDATE dial_turns t SET due_at = LEAST(t.due_at, x.soon), new_due = LEAST(t.new_due, x.soon)
        FROM credited c, LATERAL (SELECT clock_timestamp() + interval '500 milliseconds' AS soon) x
        WHERE t.account_id = c.account_id
      )
      SELECT 1 AS credited FROM credited`;
    return credited.length === 1;
  } catch (error) {
    if (sqlStateOf(error) !== '23514') throw error;
    const maximum = formatDecimal(micros(MAX_MICROS));
    const message =
      amountMicros > 0n
        ? `The balance would exceed the maximum of ${maximum}: top up by less.`
        : 'The amount must be greater than 0.';
    throw refusal('balance_out_of_bounds', 'amount', message, error);
  }
}
