import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { serviceArgs } from '@outdial/testkit';
import { TEST_PEPPER, type TestApi } from './open-api.ts';

/** The API in its own process. */
export function startProcess(env: Record<string, string>) {
  const child = spawn(process.execPath, serviceArgs('apps/api/src/main.ts'), {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code), stderr }));

  async function said(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = lines.map((line) => pattern.exec(line)?.[0]).find((text) => text !== undefined);
      if (match !== undefined) return match;
      await once(output, 'line');
    }
  }

  return {
    child,
    lines,
    ended,
    /** The first match in its output, past or future. */
    said,
    /** The address that it logs as listening. */
    listening: () => said(/(?<="url":")[^"]+/),
  };
}

/** Another process of the same service as `api`, for many clients: they do not slow down this process. */
export function startBeside({ stores, dataDir }: Pick<TestApi, 'stores' | 'dataDir'>) {
  return startProcess({
    PORT: '0',
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    OUTDIAL_DATA_DIR: dataDir,
    OUTDIAL_KEY_PEPPER: TEST_PEPPER,
    OUTDIAL_DEFAULT_POLICY: 'open',
    OUTDIAL_KEY_REQUESTS_PER_SECOND: '100000',
    OUTDIAL_ACCOUNT_REQUESTS_PER_SECOND: '100000',
  });
}
