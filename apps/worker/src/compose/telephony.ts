import { createScriptedAgents, createSpeechSynthesizer } from '@outdial/agents';
import type { CallDriverDeps, Carrier, Conversations, RecordingStore } from '@outdial/calls';
import { unreachable, type Clock, type LogEvent, type Logger } from '@outdial/kernel';
import type { TrunkReading } from '@outdial/metrics';
import type { Database } from '@outdial/persistence';
import { createMutedConversations, createSimulatedCarrier } from '@outdial/simulated-network';
import { createConversations, createMediaClock } from '@outdial/telephony';
import type { Redis } from 'ioredis';
import { composeSip } from './compose-sip.ts';
import type { WorkerConfig } from './config.ts';
import type { Loop } from './loops/loop.ts';
import { openNetworkJournal } from './network-journal.ts';

export interface Telephony extends Pick<CallDriverDeps, 'trunks'> {
  readonly carrier: Carrier;
  readonly conversations: Conversations;
  /** Resolves once calls can be carried. */
  prepare(): Promise<void>;
  /** For metrics; null for a carrier without trunks. */
  readonly readTrunks: (() => Promise<TrunkReading>) | null;
  /** For metrics; null without a TLS certificate. */
  readonly certificateExpiresAtMs: (() => number) | null;
  /** The background work of the carrier. */
  startLoops(): readonly Loop[];
  close(): Promise<void>;
}

export interface TelephonyOptions {
  readonly config: WorkerConfig;
  readonly database: Database;
  readonly redis: Redis;
  readonly recordings: RecordingStore;
  readonly workerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The carrier that the configuration selects, and its sound. */
export async function composeTelephony(options: TelephonyOptions): Promise<Telephony> {
  const { OUTDIAL_CARRIER: carrier, OUTDIAL_SIMULATED_MEDIA: media } = options.config;
  switch (carrier) {
    case 'simulated':
      return media === 'off' ? silentNetwork(options) : speakingNetwork(options);
    case 'sip':
      return composeSip(options);
    default:
      return unreachable(carrier);
  }
}

/** The simulated network is available at once and needs no background work. */
const SELF_SUFFICIENT = {
  prepare: async () => undefined,
  startLoops: () => [],
  readTrunks: null,
  certificateExpiresAtMs: null,
} as const;

function speakingNetwork({ config, recordings, clock, logger }: TelephonyOptions): Telephony {
  const reportTo = (event: LogEvent, message: string) => (error: unknown) =>
    logger.warn({ event, err: error }, message);
  const media = createMediaClock({
    clock,
    speed: config.OUTDIAL_SIMULATED_SPEED,
    onError: reportTo('media_clock.failed', 'the media clock failed'),
  });
  const speech = createSpeechSynthesizer({ clock });
  return {
    ...SELF_SUFFICIENT,
    carrier: createSimulatedCarrier({
      clock,
      media: { kind: 'frames', clock: media, speech },
      ...openNetworkJournal(config.OUTDIAL_SIMULATED_JOURNAL),
      onError: reportTo('simulated_callee.failed', 'a simulated callee failed'),
    }),
    conversations: createConversations({
      clock: media,
      agents: createScriptedAgents({ speech, onError: reportTo('agent.failed', 'an agent failed') }),
      recordings,
      onError: reportTo('conversation.failed', 'a conversation failed'),
    }),
    close: () => speech.close(),
  };
}

function silentNetwork({ config, clock, logger }: TelephonyOptions): Telephony {
  return {
    ...SELF_SUFFICIENT,
    carrier: createSimulatedCarrier({
      clock,
      media: { kind: 'off', speed: config.OUTDIAL_SIMULATED_SPEED },
      ...openNetworkJournal(config.OUTDIAL_SIMULATED_JOURNAL),
      onError: (error) => logger.warn({ event: 'simulated_callee.failed', err: error }, 'a simulated callee failed'),
    }),
    conversations: createMutedConversations({ clock, hangUpAfterMs: null }),
    close: async () => undefined,
  };
}
