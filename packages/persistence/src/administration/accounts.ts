import { randomUUID } from 'node:crypto';
import { accountIdSchema, micros, type AccountId, type Micros } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { Prisma } from '../generated/client.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { accountNotFound } from './refusal.ts';

export interface AccountRecord {
  readonly id: AccountId;
  readonly name: string;
  readonly currency: string;
  readonly enabled: boolean;
  readonly mayUseSystemNumber: boolean;
  readonly maxDurationSeconds: number;
  readonly ringTimeoutSeconds: number;
  /** Calls that may be open at once. */
  readonly capacity: number;
  readonly balanceMicros: Micros;
  readonly createdAtMs: number;
}

export interface NewAccount {
  readonly name: string;
  /** ISO 4217. It cannot be changed: the wallet and every call's cost are in it. */
  readonly currency: string;
  readonly capacity?: number;
  readonly mayUseSystemNumber?: boolean;
}

export interface AccountAdministration {
  /** An empty wallet comes with it. */
  create(input: NewAccount): Promise<AccountRecord>;
  /** Oldest first. */
  list(): Promise<readonly AccountRecord[]>;
  show(accountId: AccountId): Promise<AccountRecord>;
  /** A disabled account places no calls, and what it has in the queue is cancelled; calls under way go on. */
  setEnabled(accountId: AccountId, enabled: boolean): Promise<AccountRecord>;
}

type AccountRow = Omit<AccountRecord, 'balanceMicros'> & { readonly balanceMicros: bigint };

function toRecord(row: AccountRow): AccountRecord {
  return { ...row, balanceMicros: micros(row.balanceMicros) };
}

const ACCOUNTS = Prisma.sql`
  SELECT a.id, a.name, a.currency, a.enabled, a.may_use_system_number AS "mayUseSystemNumber",
    a.max_duration_seconds AS "maxDurationSeconds", a.ring_timeout_seconds AS "ringTimeoutSeconds", a.capacity,
    w.balance_micros AS "balanceMicros", epoch_ms(a.created_at) AS "createdAtMs"
  FROM accounts a JOIN wallets w ON w.account_id = a.id`;

export function administerAccounts({ database: { side }, actor }: AdministrationContext): AccountAdministration {
  async function show(accountId: AccountId): Promise<AccountRecord> {
    const [row] = await side.$queryRaw<AccountRow[]>`${ACCOUNTS} WHERE a.id = ${accountId}::uuid`;
    if (!row) throw accountNotFound(accountId);
    return toRecord(row);
  }

  return {
    async create({ name, currency, capacity = 10, mayUseSystemNumber = false }) {
      const accountId = accountIdSchema.parse(randomUUID());
      const data = { name, currency, capacity, may_use_system_number: mayUseSystemNumber };
      const audit = auditPart(actor, { action: 'account.create', subjectId: accountId, data });
      const created = await side.$executeRaw`
        WITH changed AS (
          INSERT INTO accounts (id, name, currency, capacity, may_use_system_number)
          VALUES (${accountId}::uuid, ${name}, ${currency}, ${capacity}, ${mayUseSystemNumber}) RETURNING id
        ), ${audit}
        INSERT INTO wallets (account_id) SELECT c.id FROM changed c`;
      invariant(created === 1, 'an account is created with its wallet');
      return show(accountId);
    },
    async list() {
      const rows = await side.$queryRaw<AccountRow[]>`${ACCOUNTS} ORDER BY a.created_at, a.id`;
      return rows.map(toRecord);
    },
    show,
    async setEnabled(accountId, enabled) {
      const action = enabled ? 'account.enable' : 'account.disable';
      await side.$executeRaw`
        WITH changed AS (
          UPDATE accounts SET enabled = ${enabled} WHERE id = ${accountId}::uuid AND enabled <> ${enabled} RETURNING id
        ), ${auditPart(actor, { action, subjectId: accountId, data: {} })}
        SELECT count(*) FROM changed`;
      return show(accountId);
    },
  };
}
