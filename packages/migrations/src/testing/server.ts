import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set by the test run's global setup. It imports this package, so that this package cannot import it. */
    outdialStores: { readonly redisUrl: string; readonly databaseUrl: string; readonly templateName: string };
  }
}

/** The Postgres that the tests of this run work on. Its role may create databases. */
export function testServerUrl(): string {
  return inject('outdialStores').databaseUrl;
}
