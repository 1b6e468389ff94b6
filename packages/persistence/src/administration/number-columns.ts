import { Prisma } from '../generated/client.ts';

/** Columns of a number `n`, as a `PhoneNumberRecord`. */
export const NUMBER_COLUMNS = Prisma.sql`
  n.id, n.account_id AS "accountId", n.e164, n.active, n.outbound_enabled AS "outboundEnabled",
  n.is_default AS "isDefault", epoch_ms(n.created_at) AS "createdAtMs"`;
