import type { CallCursor } from '@outdial/calls';
import { callIdSchema, type AccountId } from '@outdial/contracts';
import { createPositionSeal } from '../../http/position-seal.ts';

export interface CursorSeal {
  write(accountId: AccountId, cursor: CallCursor): string;
  /** Null for text that this process did not write for this account. */
  read(accountId: AccountId, text: string): CallCursor | null;
}

/** Cursors of lists of calls. */
export function createCursorSeal(secret: Buffer): CursorSeal {
  const seal = createPositionSeal(secret);
  return {
    write: (accountId, { createdAtMs, callId }) => seal.write(accountId, { createdAtMs, id: callId }),
    read(accountId, text) {
      const position = seal.read(accountId, text);
      return position && { createdAtMs: position.createdAtMs, callId: callIdSchema.parse(position.id) };
    },
  };
}
