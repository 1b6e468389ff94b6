import { limitSystem } from '@outdial/calls';
import { EnvError } from '@outdial/kernel';
import {
  createDialAttemptStore,
  createReconcileStore,
  createTrunkDirectory,
  createTrunkConditions,
  createTrunkEvidence,
  createTrunkAvailabilityStore,
  createTrunkTests,
} from '@outdial/persistence';
import { createTrunkChannels } from '@outdial/reservations';
import { createUserAgent, openSocketTransport, type SocketTransport } from '@outdial/sip';
import { createSipCarrier, createTrunkMonitor } from '@outdial/telephony';
import { createCertificateWatch } from '../tls/certificate-watch.ts';
import type { Telephony, TelephonyOptions } from './telephony-parts.ts';
import type { WorkerConfig } from '../settings/config.ts';
import { startLoop } from '../loops/loop.ts';
import { createAvailabilityPublisher } from '../trunks/availability-publisher.ts';
import { openSipSound } from './sip-sound.ts';
import { mediaAddressOf, secretKeyOf } from '../settings/sip-settings.ts';
import { createTrunkTester } from '../trunks/tester.ts';
import { readTlsServer, type TlsIdentity, type TlsServer } from '../tls/server.ts';

/** The system's capacity includes an added or changed trunk within this time. */
const LIMIT_INTERVAL_MS = 5_000;
/** A report on the trunks is shown to operators for a minute. */
const REPORT_INTERVAL_MS = 10_000;
/** The API learns within this time that no trunk takes calls, or that one does again. */
const AVAILABILITY_INTERVAL_MS = 500;
/** An operator who tests a trunk watches the page for the result. */
const TEST_INTERVAL_MS = 1_000;

/** Carries calls over the trunks stored in Postgres. @throws EnvError */
export async function composeSip(options: TelephonyOptions): Promise<Telephony> {
  const { config, database, redis, clock, logger, workerId } = options;
  const mediaAddress = mediaAddressOf(config);
  const secretKey = await secretKeyOf(config);
  const tlsServer = await readTlsServer(config);
  const transport = await openTransport(config, tlsServer);
  const use = (identity: TlsIdentity) => transport.renewCertificate(identity);
  const certificate = tlsServer && createCertificateWatch({ ...tlsServer, use, clock, logger });
  const userAgent = createUserAgent({
    transport,
    clock,
    product: 'Outdial',
    onForeignResponse: (foreign) =>
      logger.warn(
        { event: 'sip.response_dropped', ...foreign },
        'a SIP response was dropped: it came from an address that received no request',
      ),
  });
  const onError = (error: Error) =>
    logger.error({ event: 'trunk.left_out', err: error }, 'a trunk was left out: its settings cannot be used');
  const trunkDirectory = createTrunkDirectory(database, { clock, secretKey, onError });
  const evidence = createTrunkEvidence(database, { workerId });
  const health = createTrunkMonitor({
    userAgent,
    trunks: trunkDirectory,
    clock,
    logger,
    evidence,
    digestKey: secretKey,
  });
  const availabilityStore = createTrunkAvailabilityStore(database);
  const trunkChannels = createTrunkChannels({ redis });
  const reconcileStore = createReconcileStore(database);
  const conditions = createTrunkConditions(database);
  const attempts = createDialAttemptStore(database);
  const tests = createTrunkTests(database);
  const tester = createTrunkTester({ tests, trunks: trunkDirectory, userAgent, workerId, clock, logger });
  const sound = openSipSound(options);
  const { media } = sound;
  const limit = () => limitSystem({ reconcileStore, trunkDirectory, trunkChannels });

  return {
    carrier: createSipCarrier({ userAgent, media, mediaAddress, trunks: trunkDirectory, health, clock, logger }),
    conversations: sound.conversations,
    trunks: { trunkDirectory, health, trunkChannels, attempts },
    async readTrunks() {
      const [trunks, found, taken] = await Promise.all([
        trunkDirectory.all(),
        health.conditions(),
        attempts.takenChannels(),
      ]);
      return { trunks, conditions: found, taken };
    },
    certificateExpiresAtMs: certificate && (() => certificate.expiresAtMs()),
    async prepare() {
      await sound.ready;
      const { port: sipPort, tlsPort } = transport;
      logger.info(
        { event: 'sip.listening', sipPort, ...(tlsPort === 0 ? {} : { tlsPort }), mediaAddress },
        'listening for SIP',
      );
    },
    startLoops() {
      health.start();
      const reportTrunks = async () => conditions.save(workerId, await health.conditions());
      const publish = createAvailabilityPublisher({ health, availabilityStore, workerId, clock });
      const common = { clock, logger, random: Math.random };
      return [
        startLoop({ ...common, name: 'limit system', intervalMs: LIMIT_INTERVAL_MS, round: limit }),
        startLoop({ ...common, name: 'report trunks', intervalMs: REPORT_INTERVAL_MS, round: reportTrunks }),
        startLoop({ ...common, name: 'availability of trunks', intervalMs: AVAILABILITY_INTERVAL_MS, round: publish }),
        startLoop({ ...common, name: 'test trunks', intervalMs: TEST_INTERVAL_MS, round: () => tester.look() }),
        ...(certificate ? [certificate.start()] : []),
      ];
    },
    async close() {
      health.close();
      // If this fails, the last report expires within seconds.
      await availabilityStore.remove(workerId).catch(() => undefined);
      await userAgent.close();
      await sound.close();
    },
  };
}

async function openTransport(config: WorkerConfig, server: TlsServer | null): Promise<SocketTransport> {
  const { SIP_LISTEN_ADDRESS: address, SIP_PORT: port, SIP_PUBLIC_ADDRESS: host } = config;
  try {
    return await openSocketTransport({
      address,
      port,
      ...(host === undefined ? {} : { publicAddress: { host } }),
      ...(server === null
        ? {}
        : { tls: { server: { port: server.port, cert: server.identity.cert, key: server.identity.key } } }),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const ports = server === null ? `${port}` : `${port}, and ${server.port} for TLS,`;
    const advice = `set other ones with SIP_LISTEN_ADDRESS, ${server === null ? '' : 'SIP_TLS_PORT '}and SIP_PORT`;
    throw new EnvError(`SIP_PORT: the worker cannot listen on ${address}:${ports} (${reason}): ${advice}.`);
  }
}
