import type { AccountId, E164, PhoneNumberId } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';

export interface PhoneNumberRecord {
  readonly id: PhoneNumberId;
  readonly accountId: AccountId | null;
  readonly e164: E164;
  readonly active: boolean;
  readonly outboundEnabled: boolean;
  readonly isDefault: boolean;
  readonly createdAtMs: number;
}

/** Columns of a number `n`, as a `PhoneNumberRecord`. */
export const NUMBER_COLUMNS = Prisma.sql`
  n.id, n.account_id AS "accountId", n.e164, n.active, n.outbound_enabled AS "outboundEnabled",
  n.is_default AS "isDefault", epoch_ms(n.created_at) AS "createdAtMs"`;
