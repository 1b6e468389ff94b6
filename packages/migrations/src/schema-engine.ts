import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Pool } from 'pg';

import { wholeScriptAdapter } from './whole-script-adapter.ts';

export type SchemaEngine = bindings.SchemaEngine;

/** The part of the module that is called by hand; the bindings know the rest. */
interface EngineExports {
  readonly __wbindgen_start: (this: void) => void;
}

/** The lib setting names no browser, and Node's types leave this global to it. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Readonly<Record<string, object>>,
  ): Promise<{ readonly instance: { readonly exports: EngineExports } }>;
};

declare global {
  /** Where the engine's bindings leave the text of a panic; without it a panic hides behind a TypeError. */
  var PRISMA_WASM_PANIC_REGISTRY: { set_message(message: string): void } | undefined;
}

export interface EngineOptions {
  readonly databaseUrl: string;
  /** How long a script waits for each lock. */
  readonly lockTimeoutMs: number;
}

export interface EngineConnection {
  readonly engine: SchemaEngine;
  /** Whether the last script that failed did so because it did not get a lock. */
  wasWithoutLock(): boolean;
}

/** SQLSTATEs lock_not_available and deadlock_detected. */
const NO_LOCK = new Set(['55P03', '40P01']);

/**
 * Prisma's own schema engine, compiled to WebAssembly, with a connection to the database.
 *
 * The native engine is fetched from a host of its own at installation, and a missing one makes `prisma migrate deploy`
 * apply nothing and exit 0. This one comes with the dependencies.
 */
export async function withSchemaEngine<T>(
  { databaseUrl, lockTimeoutMs }: EngineOptions,
  work: (connection: EngineConnection) => Promise<T>,
): Promise<T> {
  await (loading ??= loadEngine());
  const pool = new Pool({ connectionString: databaseUrl, max: 1, application_name: 'outdial-migrations' });
  // A connection lost while it idles is noticed by the next query; without a listener it would end the process.
  pool.on('error', () => {});
  let sqlState: string | undefined;
  try {
    const factory = bindMigrationAwareSqlAdapterFactory(
      wholeScriptAdapter(pool, { lockTimeoutMs, onFailure: (state) => (sqlState = state) }),
    );
    const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
    const wasWithoutLock = () => sqlState !== undefined && NO_LOCK.has(sqlState);
    return await work({ engine, wasWithoutLock }).finally(() => engine.free());
  } finally {
    // The engine leaves its connections open, which would keep this process alive and the database from being cloned.
    await pool.end();
  }
}

let loading: Promise<void> | undefined;

async function loadEngine(): Promise<void> {
  // Read as a file: the package's exports name the bindings but not the module itself.
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const bytes = await readFile(join(dirname(entry), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': { ...bindings, ...timersThatLetGo() },
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
 * The engine waits for its advisory lock with a timer of ten seconds and never clears it: taken as it is, each use would
 * keep the process alive for that long. The import's name ends in a hash that changes from release to release.
 */
function timersThatLetGo(): Readonly<Record<string, (callback: () => void, delayMs: number) => NodeJS.Timeout>> {
  const names = Object.keys(bindings).filter((name) => name.startsWith('__wbg_setTimeout_'));
  return Object.fromEntries(names.map((name) => [name, (callback, delayMs) => setTimeout(callback, delayMs).unref()]));
}
