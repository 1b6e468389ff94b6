/** What every test file needs to know about the run's servers. */
export interface ProvidedStores {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  /** A migrated database without connections, so that it can be cloned. */
  readonly templateName: string;
  /** Initially empty; see `postgres-seed.ts`. */
  readonly seedDir: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    outdialStores: ProvidedStores;
  }
}
