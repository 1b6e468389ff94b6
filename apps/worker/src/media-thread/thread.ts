/**
 * The thread that processes the sound of all calls of a worker. It must do nothing else, so that frames are on time.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { createAgentsByDriver, createMindLink, createModelAgents, createScriptedAgents } from '@outdial/agents';
import { createLogger, systemClock } from '@outdial/kernel';
import { createFileRecordings, type RecordingFile } from '@outdial/recordings';
import { createMediaHost, createSpeechBridge, rehearse } from '@outdial/telephony';
import { mediaThreadInputSchema, toMediaThreadSchema, type FromMediaThread } from './input.ts';
import { raiseOwnPriority } from './priority.ts';
import { createRecordingAlarm } from '../recordings/alarm.ts';

/** A callee's side that sends nothing for this long has gone, whatever its signaling says. */
const NO_AUDIO_AFTER_MS = 60_000;

const { mediaPort, speechPort, recordingsDir, rtpPorts, metricsEveryMs, logLevel, priority } =
  mediaThreadInputSchema.parse(workerData);
const logger = createLogger({ name: 'media', level: logLevel });
const link = createMindLink({ clock: systemClock });
const speech = createSpeechBridge(speechPort);
const onError = (error: unknown) => logger.warn({ event: 'agent.failed', err: error }, 'an agent failed');

createMediaHost({
  port: mediaPort,
  clock: systemClock,
  agents: createAgentsByDriver({
    scripted: createScriptedAgents({ speech, onError }),
    conducted: createModelAgents({ speech, link, clock: systemClock }),
  }),
  recordings: createFileRecordings({
    directory: recordingsDir,
    onError: createRecordingAlarm({ logger, clock: systemClock }),
  }),
  rtpPorts,
  learning: 'same_host',
  noAudioAfterMs: NO_AUDIO_AFTER_MS,
  metricsEveryMs,
});
// A new bridge comes whenever the model thread was started again.
parentPort?.on('message', (message: unknown) => {
  const { bridge, nth } = toMediaThreadSchema.parse(message);
  link.use(bridge, () => post({ kind: 'bridge_silent', nth }));
});
parentPort?.unref();
mediaPort.on('close', () => link.close());
await rehearse({
  clock: systemClock,
  agentsWith: (rehearsed) =>
    createAgentsByDriver({
      scripted: createScriptedAgents({ speech: rehearsed }),
      conducted: createModelAgents({ speech: rehearsed, link, clock: systemClock }),
    }),
  recordings: createFileRecordings({ directory: '', onError: () => undefined, openFile: openNothing }),
});
// Not before: a rehearsal must not delay the sound of another worker on this machine.
const granted = raiseOwnPriority(priority);
if (priority === 'real_time' && granted !== priority) {
  logger.warn(
    { event: 'media_thread.priority_refused', priority: granted },
    'the system does not permit real-time priority for the media thread',
  );
}
logger.info({ event: 'media_thread.started', priority: granted }, 'the media thread is running');
post({ kind: 'ready' });

function post(message: FromMediaThread): void {
  parentPort?.postMessage(message, []);
}

/** The sink of rehearsed recordings: accepts every write and stores nothing. */
async function openNothing(): Promise<RecordingFile> {
  return { write: async (_bytes, _offset, length) => ({ bytesWritten: length }), close: async () => undefined };
}
