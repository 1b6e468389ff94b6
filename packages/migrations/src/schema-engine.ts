import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { postgresHosts } from '@outdial/postgres-hosts';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Pool } from 'pg';

import { wholeScriptAdapter } from './whole-script-adapter.ts';

export type SchemaEngine = bindings.SchemaEngine;

/** The part of the module that is called directly; the bindings handle the rest. */
interface EngineExports {
  readonly __wbindgen_start: (this: void) => void;
}

/** The `lib` setting excludes the DOM, and Node's types rely on it for this global. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Readonly<Record<string, object>>,
  ): Promise<{ readonly instance: { readonly exports: EngineExports } }>;
};

declare global {
  /** The engine's bindings report a panic here; without it a panic appears as an unrelated TypeError. */
  var PRISMA_WASM_PANIC_REGISTRY: { set_message(message: string): void } | undefined;
}

export interface EngineOptions {
  readonly databaseUrl: string;
  /** The timeout of each lock of a script. */
  readonly lockTimeoutMs: number;
}

export interface EngineConnection {
  readonly engine: SchemaEngine;
  /** Whether the last failed script failed because it did not get a lock. */
  hadLockTimeout(): boolean;
}

/** SQLSTATEs lock_not_available and deadlock_detected. */
const NO_LOCK = new Set(['55P03', '40P01']);

/**
 * Prisma's own schema engine, compiled to WebAssembly, with a connection to the database.
 *
 * The native engine is downloaded during installation, and without it `prisma migrate deploy` applies nothing and exits
 * with 0. This one is an npm dependency.
 */
export async function withSchemaEngine<T>(
  { databaseUrl, lockTimeoutMs }: EngineOptions,
  work: (connection: EngineConnection) => Promise<T>,
): Promise<T> {
  await (loading ??= loadEngine());
  const pool = new Pool({ ...postgresHosts(databaseUrl).pool, max: 1, application_name: 'outdial-migrations' });
  // The next query notices a connection that was lost while idle; without a listener it would end the process.
  pool.on('error', () => {});
  let sqlState: string | undefined;
  try {
    const factory = bindMigrationAwareSqlAdapterFactory(
      wholeScriptAdapter(pool, { lockTimeoutMs, onFailure: (state) => (sqlState = state) }),
    );
    const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
    const hadLockTimeout = () => sqlState !== undefined && NO_LOCK.has(sqlState);
    return await work({ engine, hadLockTimeout }).finally(() => engine.free());
  } finally {
    // The engine leaves its connections open, which would keep the process alive and prevent cloning the database.
    await pool.end();
  }
}

let loading: Promise<void> | undefined;

async function loadEngine(): Promise<void> {
  // Read as a file: the package exports the bindings but not the module itself.
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const bytes = await readFile(join(dirname(entry), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': { ...bindings, ...unrefTimers() },
  });
  globalThis.PRISMA_WASM_PANIC_REGISTRY ??= {
    set_message(message) {
      throw new Error(`Prisma's schema engine failed: ${message}`);
    },
  };
  const { __wbg_set_wasm: setModule } = bindings;
  const { __wbindgen_start: start } = instance.exports;
  setModule(instance.exports);
  start();
}

/**
 * The engine waits for its advisory lock with a ten-second timer that it never clears. Without unref(), each use would
 * keep the process alive for that long. The import's name ends in a hash that changes with each release.
 */
function unrefTimers(): Readonly<Record<string, (callback: () => void, delayMs: number) => NodeJS.Timeout>> {
  const names = Object.keys(bindings).filter((name) => name.startsWith('__wbg_setTimeout_'));
  return Object.fromEntries(names.map((name) => [name, (callback, delayMs) => setTimeout(callback, delayMs).unref()]));
}
