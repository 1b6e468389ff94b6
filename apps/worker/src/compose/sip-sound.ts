import { createSpeechSynthesizer } from '@outdial/agents';
import { createMediaClient, latenessAt, type MediaClient, type MediaMetrics } from '@outdial/telephony';
import type { Conversations } from '@outdial/calls';
import type { Logger } from '@outdial/kernel';
import type { TelephonyOptions } from './telephony-parts.ts';
import { createConductedConversations } from '../model-thread/conducted-conversations.ts';
import { recordingsDirOf } from '../settings/config.ts';
import { startMediaThread } from '../media-thread/start-media-thread.ts';
import { openModels } from './models.ts';

export interface SipSound {
  readonly media: MediaClient;
  readonly conversations: Conversations;
  /** Rejects if the media thread cannot be started. */
  readonly ready: Promise<unknown>;
  close(): Promise<void>;
}

/** The media thread of this worker, and the speech that it requests. */
export function openSipSound({ config, credentials, calls, clock, logger }: TelephonyOptions): SipSound {
  const speech = createSpeechSynthesizer({ clock });
  const thread = startMediaThread({
    speech,
    clock,
    recordingsDir: recordingsDirOf(config),
    rtpPorts: { address: config.SIP_LISTEN_ADDRESS, ...config.SIP_RTP_PORTS },
    metricsEveryMs: config.OUTDIAL_SOUND_LOG_SECONDS * 1_000,
    priority: config.OUTDIAL_MEDIA_PRIORITY,
    logLevel: config.LOG_LEVEL,
    onLost: (error) => {
      // Its calls receive their ended reason before the end of the process hangs them up for another one.
      media.close();
      // A worker without sound is useless. This error is deliberately uncaught, so that it ends the process cleanly:
      // the calls are settled first.
      throw error;
    },
  });
  const media = createMediaClient({
    port: thread.port,
    clock,
    onMetrics: (metrics) => logSound(metrics, logger),
    onError: (error) => logger.warn({ event: 'media_thread.error', err: error }, 'the media thread reported an error'),
    onLost: () => logger.debug({ event: 'media_thread.released' }, 'the media thread was released'),
  });
  const models = openModels({
    config,
    clock,
    logger,
    onBridge: (bridge, onSilent) => thread.useBridge(bridge, onSilent),
    calls,
  });
  return {
    media,
    conversations: createConductedConversations({
      conversations: media.conversations,
      models,
      calls,
      credentials,
      clock,
      logger,
    }),
    ready: thread.ready,
    async close() {
      media.close();
      await Promise.all([thread.close(), models.close()]);
      await speech.close();
    },
  };
}

/** Once for every interval with calls: packets sent late or lost are heard as gaps. */
function logSound({ sessions, lateness, sound }: MediaMetrics, logger: Logger): void {
  const { packets, mostMs } = lateness;
  if (packets === 0) return;
  const figures = {
    latenessP50Ms: latenessAt(0.5, lateness),
    latenessP99Ms: latenessAt(0.99, lateness),
    latenessMostMs: mostMs,
  };
  logger.info({ event: 'sound.measured', sessions, packets, ...figures, ...sound }, 'sound');
}
