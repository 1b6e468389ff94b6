import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '@outdial/contracts';

/** The end of a page of a list that is sorted by time and id. */
export interface Position {
  readonly createdAtMs: number;
  /** A UUID. */
  readonly id: string;
}

export interface PositionSeal {
  write(accountId: AccountId, position: Position): string;
  /** Null for text that this process did not write for this account. */
  read(accountId: AccountId, text: string): Position | null;
}

const TIME_BYTES = 8;
const POSITION_BYTES = TIME_BYTES + 16;
const SEAL_BYTES = 16;

/**
 * Opaque cursors: the position of a page, sealed with HMAC-SHA256 for its account. Clients that built their own would
 * depend on the format, and a damaged cursor must be rejected rather than return a page of something else. Each list
 * has its own secret.
 */
export function createPositionSeal(secret: Buffer): PositionSeal {
  const sealOf = (accountId: AccountId, position: Buffer): Buffer =>
    createHmac('sha256', secret).update(accountId).update(position).digest().subarray(0, SEAL_BYTES);

  return {
    write(accountId, { createdAtMs, id }) {
      const position = Buffer.alloc(POSITION_BYTES);
      position.writeBigInt64BE(BigInt(createdAtMs));
      position.write(id.replaceAll('-', ''), TIME_BYTES, 'hex');
      return Buffer.concat([position, sealOf(accountId, position)]).toString('base64url');
    },
    read(accountId, text) {
      const bytes = Buffer.from(text, 'base64url');
      // Buffer skips characters outside base64url, so the same bytes have many spellings; only the canonical one is
      // accepted.
      if (bytes.length !== POSITION_BYTES + SEAL_BYTES || bytes.toString('base64url') !== text) return null;
      const position = bytes.subarray(0, POSITION_BYTES);
      if (!timingSafeEqual(bytes.subarray(POSITION_BYTES), sealOf(accountId, position))) return null;
      const hex = position.toString('hex', TIME_BYTES);
      const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      return { createdAtMs: Number(position.readBigInt64BE()), id };
    },
  };
}
