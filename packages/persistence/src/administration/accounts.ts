import { randomUUID } from 'node:crypto';
import type { AccountLimits } from '@outdial/calls';
import { accountIdSchema, micros, type AccountId, type Micros } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { Prisma } from '../generated/client.ts';
import { limitsOf } from '../reconcile/limits.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { containing } from './containing.ts';
import { accountNotFound } from './refusal.ts';

export interface AccountRecord {
  readonly id: AccountId;
  readonly name: string;
  readonly currency: string;
  readonly enabled: boolean;
  readonly mayUseSystemNumber: boolean;
  readonly maxDurationSeconds: number;
  readonly ringTimeoutSeconds: number;
  /** Maximum of open calls. */
  readonly capacity: number;
  /** Of its slots, what campaigns may use together. */
  readonly campaignPercent: number;
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

/** Settings of an account that an operator changes; omitted ones stay unchanged. */
export interface AccountChanges {
  readonly name?: string | undefined;
  /** Maximum of open calls. */
  readonly capacity?: number | undefined;
  /** 1 to 100. */
  readonly campaignPercent?: number | undefined;
  readonly maxDurationSeconds?: number | undefined;
  readonly ringTimeoutSeconds?: number | undefined;
  readonly mayUseSystemNumber?: boolean | undefined;
}

export interface UpdatedAccount {
  readonly account: AccountRecord;
  /** For the gate's `refreshAccount`. */
  readonly limits: AccountLimits;
}

export interface AccountSearch {
  /** Part of the name, the id, or a member's e-mail address. An empty text matches every account. */
  readonly text: string;
  /** The last account of the previous page. */
  readonly after?: AccountId | undefined;
  readonly limit: number;
}

export interface AccountAdministration {
  /** Creates the account with an empty wallet. */
  create(input: NewAccount): Promise<AccountRecord>;
  /** Oldest first. */
  list(): Promise<readonly AccountRecord[]>;
  /** Newest first. */
  find(search: AccountSearch): Promise<{ readonly accounts: readonly AccountRecord[]; readonly hasMore: boolean }>;
  show(accountId: AccountId): Promise<AccountRecord>;
  /** Applies all changes in one statement. */
  update(accountId: AccountId, changes: AccountChanges): Promise<UpdatedAccount>;
  /** A disabled account places no calls and its queued calls are cancelled; active calls go on. */
  setEnabled(accountId: AccountId, enabled: boolean): Promise<AccountRecord>;
}

type AccountRow = Omit<AccountRecord, 'balanceMicros'> & { readonly balanceMicros: bigint };

function toRecord(row: AccountRow): AccountRecord {
  return { ...row, balanceMicros: micros(row.balanceMicros) };
}

const ACCOUNTS = Prisma.sql`
  SELECT a.id, a.name, a.currency, a.enabled, a.may_use_system_number AS "mayUseSystemNumber",
    a.max_duration_seconds AS "maxDurationSeconds", a.ring_timeout_seconds AS "ringTimeoutSeconds", a.capacity,
    a.campaign_percent AS "campaignPercent",
    w.balance_micros AS "balanceMicros", epoch_ms(a.created_at) AS "createdAtMs"
  FROM accounts a JOIN wallets w ON w.account_id = a.id`;

export function administerAccounts({ database, actor }: AdministrationContext): AccountAdministration {
  const { side } = database;

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
    async find({ text, after, limit }) {
      const pattern = containing(text);
      const rows = await side.$queryRaw<AccountRow[]>`
        ${ACCOUNTS}
        WHERE (${text === ''} OR a.name ILIKE ${pattern} OR a.id::text ILIKE ${pattern} OR EXISTS (
            SELECT FROM memberships m JOIN users u ON u.id = m.user_id
            WHERE m.account_id = a.id AND u.email ILIKE ${pattern}))
          AND (${after ?? null}::uuid IS NULL
            OR (a.created_at, a.id) < (SELECT l.created_at, l.id FROM accounts l WHERE l.id = ${after ?? null}::uuid))
        ORDER BY a.created_at DESC, a.id DESC LIMIT ${limit + 1}::int`;
      return { accounts: rows.slice(0, limit).map(toRecord), hasMore: rows.length > limit };
    },
    show,
    async update(accountId, changes) {
      const { name, capacity, campaignPercent, maxDurationSeconds, ringTimeoutSeconds, mayUseSystemNumber } = changes;
      const data = {
        name,
        capacity,
        campaign_percent: campaignPercent,
        max_duration_seconds: maxDurationSeconds,
        ring_timeout_seconds: ringTimeoutSeconds,
        may_use_system_number: mayUseSystemNumber,
      };
      await side.$executeRaw`
        WITH changed AS (
          UPDATE accounts a SET
            name = COALESCE(${name ?? null}, a.name),
            capacity = COALESCE(${capacity ?? null}::int, a.capacity),
            capacity_version = a.capacity_version + CASE WHEN ${capacity ?? null}::int <> a.capacity THEN 1 ELSE 0 END,
            campaign_percent = COALESCE(${campaignPercent ?? null}::int, a.campaign_percent),
            max_duration_seconds = COALESCE(${maxDurationSeconds ?? null}::int, a.max_duration_seconds),
            ring_timeout_seconds = COALESCE(${ringTimeoutSeconds ?? null}::int, a.ring_timeout_seconds),
            may_use_system_number = COALESCE(${mayUseSystemNumber ?? null}::boolean, a.may_use_system_number)
          WHERE a.id = ${accountId}::uuid RETURNING a.id
        ), ${auditPart(actor, { action: 'account.update', subjectId: accountId, data })}
        SELECT count(*) FROM changed`;
      const [limits] = await limitsOf(database, [accountId]);
      if (!limits) throw accountNotFound(accountId);
      return { account: await show(accountId), limits };
    },
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
