import { createServer } from 'node:http';
import { once } from 'node:events';
import { invariant } from '@outdial/kernel';
import { afterEach, expect, test } from 'vitest';
import type { Expose } from './exposition.ts';
import { serveMetrics, type MetricsServer } from './serve.ts';

const loopback = { host: '127.0.0.1', port: 0, setting: 'METRICS_PORT' };
let servers: MetricsServer[] = [];
afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
});

async function serve(expose: Expose): Promise<string> {
  const server = await serveMetrics({ ...loopback, expose });
  servers.push(server);
  return server.url;
}

test('/metrics is served in the format of Prometheus, and nothing else is', async () => {
  const url = await serve(async () => 'outdial_gate_open 1\n');
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await response.text()).toBe('outdial_gate_open 1\n');
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  expect((await fetch(new URL('/', url))).status).toBe(404);
  expect((await fetch(new URL('/api/v1/account', url))).status).toBe(404);
});

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';
const OPENMETRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

test.each([
  [
    'of Prometheus 2',
    'application/openmetrics-text; version=0.0.1,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    PROMETHEUS,
  ],
  [
    'of later ones',
    'application/openmetrics-text;version=1.0.0;q=0.8,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    OPENMETRICS,
  ],
  [
    'of Prometheus 3',
    'application/openmetrics-text;version=1.0.0;escaping=underscores;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    OPENMETRICS,
  ],
  ['without a version', 'application/openmetrics-text', OPENMETRICS],
  ['that likes text better', 'text/plain, application/openmetrics-text;q=0.9', PROMETHEUS],
  ['that rejects OpenMetrics', 'application/openmetrics-text;q=0, */*', PROMETHEUS],
  ['of curl', '*/*', PROMETHEUS],
  ['of a browser', 'text/html, application/xhtml+xml', PROMETHEUS],
])('an Accept %s receives the format that it asks for', async (_, accept, contentType) => {
  const response = await fetch(await serve(async (format = 'prometheus') => format), { headers: { accept } });
  expect(response.headers.get('content-type')).toBe(contentType);
  expect(await response.text()).toBe(contentType === OPENMETRICS ? 'openmetrics' : 'prometheus');
});

test('an error is answered without its message', async () => {
  const url = await serve(async () => {
    throw new Error('internal detail');
  });
  const response = await fetch(url);
  expect([response.status, await response.text()]).toEqual([500, '']);
});

test('an occupied port is reported with the setting that chose it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  invariant(address !== null && typeof address === 'object', 'a TCP server has an address');
  const { port } = address;
  await expect(serveMetrics({ ...loopback, port, expose: async () => '' })).rejects.toThrow(
    `Port ${port} is in use by another program: set METRICS_PORT to another port.`,
  );
  other.close();
});

test('an address of another machine is rejected', async () => {
  await expect(serveMetrics({ ...loopback, host: '203.0.113.1', expose: async () => '' })).rejects.toThrow(
    /^203\.0\.113\.1:0 cannot be used to listen .*: correct METRICS_HOST or METRICS_PORT\.$/,
  );
});
