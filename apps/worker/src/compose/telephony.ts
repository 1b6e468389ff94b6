import {
  createAgentsByDriver,
  createMindLink,
  createModelAgents,
  createScriptedAgents,
  createSpeechSynthesizer,
} from '@outdial/agents';
import { unreachable, type LogEvent } from '@outdial/kernel';
import { createMutedConversations, createSimulatedCarrier } from '@outdial/simulated-network';
import { createConversations, createMediaClock } from '@outdial/telephony';
import { openNetworkJournal } from '../simulated-network/journal.ts';
import { createConductedConversations } from '../model-thread/conducted-conversations.ts';
import { openModels } from './models.ts';
import { composeSip } from './sip.ts';
import type { Telephony, TelephonyOptions } from './telephony-parts.ts';

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

function speakingNetwork({ config, credentials, calls, recordings, clock, logger }: TelephonyOptions): Telephony {
  const reportTo = (event: LogEvent, message: string) => (error: unknown) =>
    logger.warn({ event, err: error }, message);
  const media = createMediaClock({
    clock,
    speed: config.OUTDIAL_SIMULATED_SPEED,
    onError: reportTo('media_clock.failed', 'the media clock failed'),
  });
  const speech = createSpeechSynthesizer({ clock });
  const link = createMindLink({ clock });
  const models = openModels({
    config,
    clock,
    logger,
    onBridge: (bridge, onSilent) => link.use(bridge, onSilent),
    calls,
  });
  const onError = reportTo('agent.failed', 'an agent failed');
  const conversations = createConversations({
    clock: media,
    agents: createAgentsByDriver({
      scripted: createScriptedAgents({ speech, onError }),
      conducted: createModelAgents({ speech, link, clock }),
    }),
    recordings,
    onError: reportTo('conversation.failed', 'a conversation failed'),
  });
  return {
    ...SELF_SUFFICIENT,
    carrier: createSimulatedCarrier({
      clock,
      media: { kind: 'frames', clock: media, speech },
      ...openNetworkJournal(config.OUTDIAL_SIMULATED_JOURNAL),
      onError: reportTo('simulated_callee.failed', 'a simulated callee failed'),
    }),
    conversations: createConductedConversations({ conversations, models, calls, credentials, clock, logger }),
    async close() {
      link.close();
      await Promise.all([speech.close(), models.close()]);
    },
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
