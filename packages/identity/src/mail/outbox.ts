import { randomUUID } from 'node:crypto';
import { Prisma, type Database } from '@outdial/persistence';
import type { NewEmail } from './email-content.ts';
import type { EmailSeal } from './email-seal.ts';

/** Where requests leave the e-mails that they cause. No request waits for a mail server. */
export interface Outbox {
  /**
   * The CTE `email`, which writes the e-mail for the row of the CTE `changed`: neither the change nor its e-mail exists
   * without the other.
   */
  part(email: NewEmail): Prisma.Sql;
  /** Call it after the statement with the part has committed. */
  committed(email: NewEmail): void;
  /** Writes an e-mail that comes with no other change. */
  write(email: NewEmail): Promise<void>;
}

/** E-mails wait in Postgres, sealed, until one of the API's processes has sent them. `onWritten` hurries the sender. */
export function createStoredOutbox(
  { side }: Pick<Database, 'side'>,
  { seal, onWritten }: { readonly seal: EmailSeal; readonly onWritten: () => void },
): Outbox {
  const part = ({ content, accountId, lifetimeSeconds }: NewEmail) => {
    const id = randomUUID();
    return Prisma.sql`email AS (
      INSERT INTO emails (id, kind, account_id, sealed, expires_at)
      SELECT ${id}::uuid, ${content.kind}::text, ${accountId}::uuid, ${seal.seal(id, content)}::bytea,
        now() + make_interval(secs => ${lifetimeSeconds}::float8) FROM changed)`;
  };
  return {
    part,
    committed: onWritten,
    async write(email) {
      await side.$executeRaw`WITH changed AS (SELECT), ${part(email)} SELECT`;
      onWritten();
    },
  };
}

/** Without a mail server nothing waits: `show` logs the link, in the background. */
export function createUnstoredOutbox(show: (email: NewEmail) => void): Outbox {
  return {
    part: () => Prisma.sql`email AS (SELECT)`,
    committed: show,
    async write(email) {
      show(email);
    },
  };
}
