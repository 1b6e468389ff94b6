import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallCursor } from '@outdial/calls';
import { callIdSchema, type AccountId } from '@outdial/contracts';

const TIME_BYTES = 8;
const POSITION_BYTES = TIME_BYTES + 16;
const SEAL_BYTES = 16;

export interface CursorSeal {
  write(accountId: AccountId, cursor: CallCursor): string;
  /** Null for text that this process did not write for this account. */
  read(accountId: AccountId, text: string): CallCursor | null;
}

/**
 * Opaque cursors: the position of a page, sealed with HMAC-SHA256 for its account. Clients that built their own would
 * depend on the format, and a damaged cursor must be rejected rather than return a page of something else.
 */
export function createCursorSeal(secret: Buffer): CursorSeal {
  const sealOf = (accountId: AccountId, position: Buffer): Buffer =>
    createHmac('sha256', secret).update(accountId).update(position).digest().subarray(0, SEAL_BYTES);

  return {
    write(accountId, { createdAtMs, callId }) {
      const position = Buffer.alloc(POSITION_BYTES);
      position.writeBigInt64BE(BigInt(createdAtMs));
      position.write(callId.replaceAll('-', ''), TIME_BYTES, 'hex');
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
      const callId = callIdSchema.parse(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
      return { createdAtMs: Number(position.readBigInt64BE()), callId };
    },
  };
}
