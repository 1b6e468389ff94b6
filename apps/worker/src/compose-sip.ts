import { limitSystem } from '@outdial/calls';
import { EnvError } from '@outdial/kernel';
import { createAttemptStore, createReconcileStore, createTrunkBook, createTrunkConditions } from '@outdial/persistence';
import { createTrunkLines } from '@outdial/reservations';
import {
  createSipCarrier,
  createTrunkMonitor,
  createUserAgent,
  openSocketTransport,
  type SocketTransport,
} from '@outdial/telephony';
import type { Telephony, TelephonyOptions } from './compose-telephony.ts';
import type { WorkerConfig } from './config.ts';
import { startLoop } from './loops/loop.ts';
import { openSipSound } from './sip-sound.ts';
import { mediaAddressOf, secretKeyOf } from './sip-settings.ts';

/** A trunk that has failed takes its channels from the system within this. */
const LIMIT_INTERVAL_MS = 5_000;
/** How the trunks are is shown to operators for a minute. */
const TELL_INTERVAL_MS = 10_000;

/** Calls over the trunks that Postgres has. @throws EnvError */
export async function composeSip(options: TelephonyOptions): Promise<Telephony> {
  const { config, database, redis, clock, logger, workerId } = options;
  const mediaAddress = mediaAddressOf(config);
  const secretKey = await secretKeyOf(config);
  const transport = await openTransport(config);
  const userAgent = createUserAgent({ transport, clock, product: 'Outdial' });
  const onError = (error: Error) => logger.error({ err: error }, 'a trunk is left out');
  const book = createTrunkBook(database, { clock, secretKey, onError });
  const health = createTrunkMonitor({ userAgent, trunks: book, clock, logger });
  const lines = createTrunkLines({ redis });
  const reconcileStore = createReconcileStore(database);
  const conditions = createTrunkConditions(database);
  const attempts = createAttemptStore(database);
  const sound = openSipSound(options);
  const { media } = sound;

  return {
    carrier: createSipCarrier({ userAgent, media, mediaAddress, trunks: book, health, clock, logger }),
    conversations: media.conversations,
    trunks: { book, health, lines, attempts },
    async readTrunks() {
      const [trunks, found, taken] = await Promise.all([book.all(), health.conditions(), attempts.takenChannels()]);
      return { trunks, conditions: found, taken };
    },
    async prepare() {
      await sound.ready;
      logger.info({ sipPort: transport.port, mediaAddress }, 'listening for SIP');
    },
    startLoops() {
      health.start();
      const limit = () => limitSystem({ reconcileStore, book, health, lines });
      const tell = async () => conditions.save(workerId, await health.conditions());
      const common = { clock, logger, random: Math.random };
      return [
        startLoop({ ...common, name: 'limit system', intervalMs: LIMIT_INTERVAL_MS, round: limit }),
        startLoop({ ...common, name: 'tell of trunks', intervalMs: TELL_INTERVAL_MS, round: tell }),
      ];
    },
    async close() {
      health.close();
      await userAgent.close();
      await sound.close();
    },
  };
}

async function openTransport({
  SIP_LISTEN_ADDRESS: address,
  SIP_PORT: port,
  SIP_PUBLIC_ADDRESS: host,
}: WorkerConfig): Promise<SocketTransport> {
  try {
    return await openSocketTransport({ address, port, ...(host === undefined ? {} : { publicAddress: { host } }) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EnvError(
      `SIP_PORT: ${address}:${port} cannot be listened on (${reason}): choose others with SIP_LISTEN_ADDRESS and SIP_PORT.`,
    );
  }
}
