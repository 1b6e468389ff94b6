import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { invariant } from '@outdial/kernel';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { openStage, type Stage } from '../stage.ts';

/** Three processes start on a busy machine. */
const LIMIT_MS = 300_000;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(killChildWorkers);
afterAll(() => stage.close());

async function takenPort(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  invariant(address !== null && typeof address === 'object', 'the port is taken');
  return { server, port: address.port };
}

test('an unknown role stops the start, and the error names the roles', async () => {
  const child = startChildWorker(stage.environment({ OUTDIAL_WORKER_ROLES: 'calls,magic' }));
  expect(await child.complaint()).toContain(
    'OUTDIAL_WORKER_ROLES=calls,magic cannot be used: it must list roles with commas, of calls, analysis, webhooks, campaigns: "magic" is none.',
  );
  expect(await child.exited()).toBe(1);
});

test(
  'a worker without the role `calls` opens no SIP port and takes no calls, and another worker takes them',
  { timeout: LIMIT_MS },
  async () => {
    const { server, port } = await takenPort();
    const sip = { OUTDIAL_CARRIER: 'sip', SIP_PORT: String(port), OUTDIAL_SECRET_KEY: '07'.repeat(32) };
    const rejected = startChildWorker(stage.environment(sip));
    expect(await rejected.complaint()).toContain('SIP_PORT: the worker cannot listen on');
    const other = startChildWorker(stage.environment({ ...sip, OUTDIAL_WORKER_ROLES: 'analysis, webhooks' }));
    await other.said('working without calls');
    const callId = await stage.place('+12025550101');
    const driver = startChildWorker(
      stage.environment({ OUTDIAL_WORKER_ROLES: 'calls', OUTDIAL_SIMULATED_MEDIA: 'off' }),
    );
    await stage.untilEnded(callId);
    expect(other.output()).not.toContain(callId);
    for (const worker of [other, driver]) worker.signal('SIGTERM');
    expect(await Promise.all([other.exited(), driver.exited()])).toEqual([0, 0]);
    server.close();
  },
);
