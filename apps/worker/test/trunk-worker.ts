import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { createCallDriver, type CallDriver, type TrunkDirectory, type VoiceAgent } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { createLogger, systemClock, type Clock, type Logger } from '@outdial/kernel';
import { createDialAttemptStore, createDriveStore, createTrunkDirectory } from '@outdial/persistence';
import { createFileRecordings } from '@outdial/recordings';
import { createDialMarks, createGate, createTrunkChannels } from '@outdial/reservations';
import { createUserAgent, openSocketTransport } from '@outdial/sip';
import type { SecretKey } from '@outdial/secrets';
import { createMediaClient, createMediaHost, createSipCarrier, createTrunkMonitor } from '@outdial/telephony';
import { claimRtpPorts, type ClaimedRtpPorts } from '@outdial/testkit';
import type { Stage } from './stage.ts';

const silentLogger = createLogger({ name: 'test', level: 'silent' });
const ignore = () => undefined;

/** No sound: these calls are about signaling. */
const silentAgent = (): VoiceAgent => ({
  listen: ignore,
  hear: ignore,
  hearDigits: ignore,
  setOnHold: ignore,
  speak: ignore,
  finish: () => ({ transcript: [], answeredBy: 'unknown', summary: null }),
});

export interface TrunkWorkerOptions {
  /** The clock of SIP and of the trunks' health checks: accelerated, so that timers of half a minute pass quickly. */
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export interface TrunkWorker {
  readonly driver: CallDriver;
  /** The secret that encrypts the trunks' passwords. */
  readonly secretKey: SecretKey;
  /** From which its RTP is sent. */
  readonly rtpPorts: Pick<ClaimedRtpPorts, 'firstPort' | 'lastPort'>;
  /** SIP sessions that have not ended. */
  sessions(): number;
  /** Drives a call to its end, with the retries of a queue. */
  drive(callId: CallId): Promise<void>;
  /** Resolves once it knows exactly these trunks: a change may take a second. */
  seesTrunks(names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** The parts of a worker whose carrier is SIP, on the stage's stores. */
export async function openTrunkWorker(
  stage: Stage,
  workerId: string,
  { clock = systemClock, logger = silentLogger }: TrunkWorkerOptions = {},
): Promise<TrunkWorker> {
  const { database, redis } = stage;
  const ports = await claimRtpPorts();
  const secretKey = randomBytes(32);
  const transport = await openSocketTransport({ address: '127.0.0.1', port: 0 });
  const userAgent = createUserAgent({ transport, clock, product: 'Outdial/test' });
  const recordings = createFileRecordings({ directory: join(stage.dataDir, 'recordings'), onError: ignore });
  const { port1, port2 } = new MessageChannel();
  const host = createMediaHost({
    port: port2,
    clock: systemClock,
    agents: { prepare: () => Promise.resolve(silentAgent()) },
    recordings,
    rtpPorts: { address: '127.0.0.1', firstPort: ports.firstPort, lastPort: ports.lastPort },
    learning: 'same_host',
    noAudioAfterMs: 60_000,
    metricsEveryMs: 60_000,
  });
  const media = createMediaClient({
    port: port1,
    clock: systemClock,
    onMetrics: ignore,
    onError: ignore,
    onLost: ignore,
  });
  const trunkDirectory = createTrunkDirectory(database, { clock: systemClock, secretKey, onError: ignore });
  const health = createTrunkMonitor({ userAgent, trunks: trunkDirectory, clock, logger });
  const driver = createCallDriver({
    gate: createGate({ redis }),
    store: createDriveStore(database),
    carrier: createSipCarrier({
      userAgent,
      media,
      mediaAddress: '127.0.0.1',
      trunks: trunkDirectory,
      health,
      clock,
      logger,
    }),
    recordings,
    clock: systemClock,
    logger,
    workerId,
    conversations: media.conversations,
    marks: createDialMarks({ redis }),
    trunks: {
      trunkDirectory,
      health,
      trunkChannels: createTrunkChannels({ redis }),
      attempts: createDialAttemptStore(database),
    },
  });
  return {
    driver,
    secretKey,
    rtpPorts: ports,
    sessions: () => userAgent.sessionCount,
    async drive(callId) {
      for (;;) {
        const outcome = await driver.drive(callId);
        if (outcome.kind === 'done') return;
        await sleep(outcome.afterMs);
      }
    },
    async seesTrunks(names) {
      const wanted = names.toSorted().join();
      while ((await namesIn(trunkDirectory)) !== wanted) await sleep(20);
    },
    async close() {
      health.close();
      await userAgent.close();
      media.close();
      await host.close();
      await ports.release();
    },
  };
}

async function namesIn(trunkDirectory: TrunkDirectory): Promise<string> {
  const trunks = await trunkDirectory.all();
  return trunks
    .map(({ name }) => name)
    .toSorted()
    .join();
}
