import { PrismaPg } from '@prisma/adapter-pg';
import {
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { Pool } from 'pg';

import { dropInvalidIndex, indexOf } from './no-transaction.ts';

export interface WholeScriptOptions {
  /** The timeout of each lock of a script. */
  readonly lockTimeoutMs: number;
  /** Receives the SQLSTATE of a script that failed; undefined if Postgres sent none. */
  readonly onFailure: (sqlState: string | undefined) => void;
}

/**
 * Prisma's adapter, but it sends a script as a whole.
 *
 * The original splits a script at every semicolon, which breaks function bodies, strings and comments that contain one.
 * Sent in one message, a script is also one transaction: a migration that fails leaves nothing behind.
 */
export function wholeScriptAdapter(pool: Pool, options: WholeScriptOptions): SqlMigrationAwareDriverAdapterFactory {
  const original = new PrismaPg(pool);
  return {
    provider: original.provider,
    adapterName: original.adapterName,
    connect: async () => sendingScriptsWhole(await original.connect(), pool, options),
    connectToShadowDb() {
      // The original would use the connection string's own database as the shadow database.
      throw new Error('These migrations do not use a shadow database.');
    },
  };
}

function sendingScriptsWhole(
  adapter: SqlDriverAdapter,
  pool: Pool,
  { lockTimeoutMs, onFailure }: WholeScriptOptions,
): SqlDriverAdapter {
  const send = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] });
  adapter.executeScript = async (script) => {
    try {
      const index = indexOf(script);
      if (index !== null) {
        await dropInvalidIndex(pool, index);
        // Without a lock timeout: it waits for all older transactions, but no statement waits behind it.
        await send(script);
      } else {
        // In the script's own transaction, so that the setting does not persist on a pooled connection.
        await send(`SET LOCAL lock_timeout = ${lockTimeoutMs}; ${script}`);
      }
    } catch (error) {
      onFailure(isDriverAdapterError(error) ? error.cause.originalCode : undefined);
      throw error;
    }
  };
  return adapter;
}
