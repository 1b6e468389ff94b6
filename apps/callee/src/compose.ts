import { systemClock, type Logger } from '@outdial/kernel';
import {
  CALLEE_VOICE,
  createSoundBank,
  createVoiceClips,
  TEST_NUMBERS,
  VOICES_FOLDER,
  type NumberTable,
  type Samples,
} from '@outdial/simulated-network';
import { createUserAgent, openSocketTransport, type SipLogEntry, type SocketTransport } from '@outdial/sip';
import { createPhasedClocks, PortRange } from '@outdial/telephony';
import type { CalleeConfig } from './config.ts';
import { Exchange } from './exchange.ts';
import { NO_JOURNAL, openJournal } from './journal.ts';
import { reasonOf, StartError } from './start-error.ts';
import { readTlsIdentity } from './tls-identity.ts';
import { createWitness } from './witness.ts';

/** How long far ends may take to confirm a hang-up. */
const HANG_UP_WITHIN_MS = 2_000;
const REALM = 'outdial-callee';
/**
 * The callees' ticks are spread over this many phases of every 20 ms: real people do not all speak at the same moment,
 * and a caller with many calls must not receive bursts.
 */
const PHASES = 5;

export interface CalleeNetwork {
  readonly sipPort: number;
  /** Null without TLS. */
  readonly sipTlsPort: number | null;
  /** Hangs up every call and frees the ports. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Opens the ports and answers calls from then on.
 * @throws StartError
 */
export async function compose({ config, logger }: { config: CalleeConfig; logger: Logger }): Promise<CalleeNetwork> {
  const clock = systemClock;
  const address = config.OUTDIAL_CALLEE_ADDRESS;
  const table = config.OUTDIAL_CALLEE_TABLE ?? TEST_NUMBERS;
  const samples = await loadSamples(table);
  const path = config.OUTDIAL_CALLEE_JOURNAL;
  const journal = path === undefined ? NO_JOURNAL : openJournal(path);
  const transport = await openTransport(config, logger);
  const userAgent = createUserAgent({ transport, clock, product: 'Outdial-Callee', ...authentication(config) });
  const network = {
    clock,
    mediaClocks: createPhasedClocks(PHASES, {
      clock,
      onError: (error) => logger.error({ event: 'callee.failed', err: error }, 'a callee failed'),
    }),
    ports: new PortRange({ address, ...config.OUTDIAL_CALLEE_RTP_PORTS }),
    address,
    hold: config.OUTDIAL_CALLEE_HOLD,
    noAudioAfterMs: config.OUTDIAL_CALLEE_NO_AUDIO_SECONDS * 1_000 || Number.POSITIVE_INFINITY,
    samples,
  };
  const exchange = new Exchange({ network, table, witness: createWitness({ clock, logger, journal }), logger });
  userAgent.onInvite((session) => exchange.take(session));
  const stop = async (): Promise<void> => {
    await exchange.close(HANG_UP_WITHIN_MS);
    await userAgent.close();
    journal.close();
  };
  let stopping: Promise<void> | undefined;
  return { sipPort: transport.port, sipTlsPort: transport.tlsPort || null, stop: () => (stopping ??= stop()) };
}

/** Loads all samples before the first call: a missing clip must not show up in the middle of one. */
async function loadSamples(table: NumberTable): Promise<Samples> {
  const sounds = createSoundBank({ speech: createVoiceClips(VOICES_FOLDER), voice: CALLEE_VOICE });
  return sounds.prepare([...new Set([...table.values()].flatMap((persona) => persona.sounds))]);
}

async function openTransport(config: CalleeConfig, logger: Logger): Promise<SocketTransport> {
  const { OUTDIAL_CALLEE_ADDRESS: address, OUTDIAL_CALLEE_SIP_PORT: port } = config;
  const identity = await readTlsIdentity(config);
  try {
    return await openSocketTransport({ address, port, log: logDiscarded(logger), ...identity });
  } catch (error) {
    const advice = 'choose others with OUTDIAL_CALLEE_ADDRESS, OUTDIAL_CALLEE_SIP_PORT and OUTDIAL_CALLEE_TLS_PORT';
    throw new StartError(`cannot listen on ${address}:${port} (${reasonOf(error)}): ${advice}.`, error);
  }
}

/** Leaves out the message's text, which may hold numbers, and logs at debug level, because of floods. */
function logDiscarded(logger: Logger) {
  return ({ kind, transport, remote, reason }: SipLogEntry): void => {
    if (kind === 'discarded')
      logger.debug(
        { event: 'sip.message_discarded', transport, remote, reason },
        'discarded a message that is not SIP',
      );
  };
}

function authentication({ OUTDIAL_CALLEE_USER: user, OUTDIAL_CALLEE_PASSWORD: password }: CalleeConfig) {
  if (user === undefined) return {};
  return { authentication: { realm: REALM, passwordOf: (name: string) => (name === user ? password : undefined) } };
}
