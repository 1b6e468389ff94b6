import { inject } from 'vitest';

/** The Postgres of this test run. Its role may create databases. */
export function testServerUrl(): string {
  return inject('outdialStores').databaseUrl;
}
