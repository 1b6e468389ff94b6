import { trunkOf } from '@outdial/calls/testing';
import { createAdministration } from '@outdial/persistence';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startChildCallee, type ChildCallee } from '../test/child-callee.ts';
import { killChildWorkers, startChildWorker } from '../test/child-worker.ts';
import { metricsUrlOf, scrapeUntil } from '../test/scrape.ts';
import { openStage, type Stage } from '../test/stage.ts';

// A trunk is given up after the 32 seconds that a request may go unanswered.
vi.setConfig({ testTimeout: 180_000 });

/** Nobody listens there. */
const NOBODY = 'sip:127.0.0.1:9';

let stage: Stage;
let callee: ChildCallee;
beforeEach(async () => {
  stage = await openStage();
  callee = await startChildCallee({
    OUTDIAL_CALLEE_RTP_PORTS: '25200-25299',
    OUTDIAL_CALLEE_TABLE: JSON.stringify({ '+12025550143': 'silent' }),
  });
});
afterEach(async () => {
  killChildWorkers();
  await callee.close();
  await stage.close();
});

async function addTrunk(name: string, uri: string, channels: number): Promise<void> {
  const { trunks } = createAdministration(stage.database, { actor: 'test' });
  await trunks.add({
    ...trunkOf({ name, uri, channels, callsPerSecond: 50, codecs: ['PCMU'], weight: name === 'callee' ? 10 : 0 }),
    credentials: null,
  });
}

test('each trunk is told by its name: whether it is up, its channels, and how many are in use', async () => {
  await addTrunk('callee', callee.uri, 1);
  await addTrunk('nobody', NOBODY, 3);
  const worker = startChildWorker(
    stage.environment({
      OUTDIAL_CARRIER: 'sip',
      SIP_PORT: '0',
      SIP_RTP_PORTS: '25300-25399',
      OUTDIAL_SECRET_KEY: '7a'.repeat(32),
      WORKER_METRICS_PORT: '0',
    }),
  );
  const url = await metricsUrlOf(worker);
  await worker.said('taking calls');
  const callId = await stage.place('+12025550143', { patient: true });
  await stage.until(callId, 'in_progress');
  const live = await scrapeUntil(url, (told) => told.value('outdial_trunk_channels_in_use', 'trunk="callee"') === 1);
  expect(live.value('outdial_trunk_up', 'trunk="callee"')).toBe(1);
  expect(live.value('outdial_trunk_channels', 'trunk="callee"')).toBe(1);
  expect(live.value('outdial_trunk_channels', 'trunk="nobody"')).toBe(3);
  expect(live.series).not.toContain('outdial_sip_certificate_expires_at_seconds');
  await scrapeUntil(url, (told) => told.value('outdial_trunk_up', 'trunk="nobody"') === 0);
  await stage.end(callId);
  await stage.untilEnded(callId);
  await scrapeUntil(url, (told) => told.value('outdial_trunk_channels_in_use', 'trunk="callee"') === 0);
});
