import { Prisma, type Database } from '@outdial/persistence';
import { EMAIL_KINDS } from './email-content.ts';

/** An e-mail that this process may send until its claim expires, in a minute. */
export interface ClaimedEmail {
  readonly id: string;
  readonly kind: string;
  readonly accountId: string | null;
  /** Null: a notice. */
  readonly sealed: Uint8Array | null;
  readonly noticeId: string | null;
  readonly userId: string | null;
  /** With the one that begins now. */
  readonly attempts: number;
  readonly expiresInMs: number;
}

export interface ClaimLimits {
  readonly most: number;
  /** Of these, e-mails of accounts. */
  readonly mostOfAccounts: number;
  /** Of one account, with those in flight. */
  readonly mostPerAccount: number;
  /** By account, in this process. */
  readonly inFlight: ReadonlyMap<string, number>;
  /** Where the last round ended: accounts take turns, in the order of their ids. */
  readonly afterAccount: string | null;
}

export interface ClaimedEmails {
  readonly emails: readonly ClaimedEmail[];
  /** The last account whose turn it was. Null: no account had one. */
  readonly lastAccount: string | null;
}

export type EndState = 'sent' | 'failed' | 'dropped';
export interface SentAgain {
  readonly dueInMs: number;
  /** This process could not read it: that counts as no attempt. */
  readonly isUnread?: true;
}
export interface FinishedEmail {
  readonly id: string;
  readonly attempts: number;
  readonly outcome: EndState | SentAgain;
}

/** Longer than an attempt takes. */
const CLAIM_SECONDS = 60;
/** Accounts that one round looks at. */
const MAX_ACCOUNTS = 100;
/** Without an e-mail: only `lastAccount`. */
type ClaimedRow = { readonly [Key in keyof ClaimedEmail]: ClaimedEmail[Key] | null } & Pick<
  ClaimedEmails,
  'lastAccount'
>;

const isKnown = () => Prisma.sql`e.kind = ANY(${EMAIL_KINDS}::text[])`;
const FIRST_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/**
 * Up to 100 accounts with pending e-mails, in the order of their ids, by one look-up of an index each: an account with a long
 * backlog costs the others no time.
 */
const walk = (name: Prisma.Sql, isWanted: Prisma.Sql) => Prisma.sql`${name} AS (
  (SELECT e.account_id, 1 AS place FROM emails e WHERE e.state = 'pending' AND e.account_id IS NOT NULL AND ${isWanted}
   ORDER BY e.account_id LIMIT 1)
  UNION ALL
  SELECT n.account_id, w.place + 1 FROM ${name} w, LATERAL (
    SELECT e.account_id FROM emails e WHERE e.state = 'pending' AND e.account_id IS NOT NULL
      AND e.account_id > w.account_id AND ${isWanted} ORDER BY e.account_id LIMIT 1
  ) n WHERE w.place < ${MAX_ACCOUNTS}::int)`;

/**
 * Claims what is due, of the kinds that this version knows: e-mails of users first, then those of accounts in turns, beginning after the last account that had
 * one. So an account waits for one e-mail of each other account, however many those have. An attempt is counted before it
 * is made.
 */
export async function claimEmails({ side }: Pick<Database, 'side'>, limits: ClaimLimits): Promise<ClaimedEmails> {
  const { most, mostOfAccounts, mostPerAccount, inFlight, afterAccount } = limits;
  const counts = JSON.stringify(Object.fromEntries(inFlight));
  const after = Prisma.sql`${afterAccount ?? FIRST_ACCOUNT}::uuid`;
  const rows = await side.$queryRaw<ClaimedRow[]>`
    WITH RECURSIVE ${walk(Prisma.sql`later`, Prisma.sql`e.account_id > ${after}`)},
    ${walk(Prisma.sql`earlier`, Prisma.sql`e.account_id <= ${after}`)},
    accounts AS (
      SELECT l.account_id, l.place, COALESCE((${counts}::jsonb ->> l.account_id::text)::int, 0) AS in_flight FROM (
        SELECT account_id, place FROM later
        UNION ALL SELECT account_id, place + ${MAX_ACCOUNTS}::int FROM earlier) l
    ), of_users AS (
      SELECT e.id, e.due_at FROM emails e
      WHERE e.state = 'pending' AND e.account_id IS NULL AND e.due_at <= clock_timestamp() AND ${isKnown()}
      ORDER BY e.due_at LIMIT ${most}::int
    ), of_accounts AS (
      SELECT d.id, d.turn, a.account_id, a.place FROM accounts a, LATERAL (
        SELECT e.id, a.in_flight + row_number() OVER (ORDER BY e.due_at) AS turn FROM emails e
        WHERE e.state = 'pending' AND e.account_id = a.account_id AND e.due_at <= clock_timestamp() AND ${isKnown()}
        ORDER BY e.due_at LIMIT GREATEST(0, ${mostPerAccount}::int - a.in_flight)
      ) d ORDER BY d.turn, a.place LIMIT ${Math.min(most, mostOfAccounts)}::int
    ), chosen AS (
      SELECT x.id, x.account_id, row_number() OVER (ORDER BY x.turn, x.place, x.due_at) AS position FROM (
        SELECT u.id, NULL::uuid AS account_id, 0 AS turn, 0 AS place, u.due_at FROM of_users u
        UNION ALL SELECT o.id, o.account_id, o.turn, o.place, NULL FROM of_accounts o
      ) x ORDER BY position LIMIT ${most}::int
    ), held AS MATERIALIZED (
      SELECT e.id FROM emails e JOIN chosen c ON c.id = e.id
      WHERE e.state = 'pending' AND e.due_at <= clock_timestamp() ORDER BY e.id FOR UPDATE OF e SKIP LOCKED
    ), claimed AS (
      UPDATE emails e SET attempts = e.attempts + 1,
        due_at = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}::float8)
      FROM held h WHERE e.id = h.id RETURNING e.*
    ), ended AS (
      -- Of many accounts none may be due: then the next round looks at others.
      SELECT COALESCE(
        (SELECT c.account_id FROM chosen c WHERE c.account_id IS NOT NULL ORDER BY c.position DESC LIMIT 1),
        (SELECT l.account_id FROM later l WHERE l.place = ${MAX_ACCOUNTS}::int)) AS account_id
    )
    SELECT c.id, c.kind, c.account_id AS "accountId", c.sealed, c.notice_id AS "noticeId", c.user_id AS "userId",
      c.attempts, (epoch_ms(c.expires_at) - epoch_ms(clock_timestamp()))::float8 AS "expiresInMs",
      o.account_id AS "lastAccount"
    FROM ended o LEFT JOIN claimed c ON true`;
  return {
    emails: rows.filter((row): row is ClaimedRow & ClaimedEmail => row.id !== null),
    lastAccount: rows[0]?.lastAccount ?? null,
  };
}

/** Once it has ended, what the e-mail says is deleted. A success counts whichever process has the claim by now. */
export async function finishEmail({ side }: Pick<Database, 'side'>, finished: FinishedEmail): Promise<void> {
  const { id, attempts, outcome } = finished;
  if (typeof outcome === 'object') {
    await side.$executeRaw`
      UPDATE emails SET due_at = clock_timestamp() + make_interval(secs => ${outcome.dueInMs / 1_000}::float8),
        attempts = attempts - ${outcome.isUnread ? 1 : 0}::int
      WHERE id = ${id}::uuid AND state = 'pending' AND attempts = ${attempts}::int`;
    return;
  }
  await side.$executeRaw`
    UPDATE emails SET state = ${outcome}::text, sealed = NULL, ended_at = clock_timestamp()
    WHERE id = ${id}::uuid AND state = 'pending' AND (${outcome}::text = 'sent' OR attempts = ${attempts}::int)`;
}
