import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set by the global setup of the test run, which imports this package and so cannot be imported here. */
    outdialStores: { readonly redisUrl: string; readonly databaseUrl: string; readonly templateName: string };
  }
}

/** The Postgres of this test run. Its role may create databases. */
export function testServerUrl(): string {
  return inject('outdialStores').databaseUrl;
}
