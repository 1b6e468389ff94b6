import { trunkOf } from '@outdial/calls/testing';
import { createAdministration, type TrunkSettings } from '@outdial/persistence';
import { claimRtpPorts, type ClaimedRtpPorts } from '@outdial/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChildCallee, type ChildCallee } from '../child-callee.ts';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { QUICK_LOOPS } from '../quick-timings.ts';
import { metricsUrlOf, scrapeUntil } from '../scrape.ts';
import { openStage, type Stage } from '../stage.ts';

/** No server listens there: a TCP connection is refused at once, while a datagram would be waited for until timer F. */
const NOBODY = 'sip:127.0.0.1:9';

let stage: Stage;
let callee: ChildCallee;
let ports: ClaimedRtpPorts;
beforeEach(async () => {
  stage = await openStage();
  ports = await claimRtpPorts();
  callee = await startChildCallee({
    OUTDIAL_CALLEE_TABLE: JSON.stringify({ '+12025550143': 'silent' }),
  });
});
afterEach(async () => {
  killChildWorkers();
  await callee.close();
  await ports.release();
  await stage.close();
});

async function addTrunk({
  name,
  uri,
  channels,
  transport,
}: Pick<TrunkSettings, 'uri' | 'channels' | 'transport'> & { readonly name: string }): Promise<void> {
  const { trunks } = createAdministration(stage.database, { actor: 'test' });
  await trunks.add({
    ...trunkOf({
      name,
      uri,
      transport,
      channels,
      callsPerSecond: 50,
      codecs: ['PCMU'],
      weight: name === 'callee' ? 10 : 0,
    }),
    credentials: null,
  });
}

test('each trunk is reported by its name: whether it is up, its channels, and how many are in use', async () => {
  await addTrunk({ name: 'callee', uri: callee.uri, transport: 'udp', channels: 1 });
  await addTrunk({ name: 'nobody', uri: NOBODY, transport: 'tcp', channels: 3 });
  const worker = startChildWorker(
    stage.environment({
      OUTDIAL_CARRIER: 'sip',
      SIP_PORT: '0',
      SIP_RTP_PORTS: ports.range,
      OUTDIAL_SECRET_KEY: '7a'.repeat(32),
      WORKER_METRICS_PORT: '0',
    }),
    QUICK_LOOPS,
  );
  const url = await metricsUrlOf(worker);
  await worker.said('taking calls');
  const callId = await stage.place('+12025550143', { patient: true });
  await stage.until(callId, 'in_progress');
  const live = await scrapeUntil(
    url,
    (metrics) => metrics.value('outdial_trunk_channels_in_use', 'trunk="callee"') === 1,
  );
  expect(live.value('outdial_trunk_up', 'trunk="callee"')).toBe(1);
  expect(live.value('outdial_trunk_channels', 'trunk="callee"')).toBe(1);
  expect(live.value('outdial_trunk_channels', 'trunk="nobody"')).toBe(3);
  expect(live.series).not.toContain('outdial_sip_certificate_expires_at_seconds');
  await scrapeUntil(url, (metrics) => metrics.value('outdial_trunk_up', 'trunk="nobody"') === 0);
  await stage.end(callId);
  await stage.untilEnded(callId);
  await scrapeUntil(url, (metrics) => metrics.value('outdial_trunk_channels_in_use', 'trunk="callee"') === 0);
});
