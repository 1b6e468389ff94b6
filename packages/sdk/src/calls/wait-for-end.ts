import type { CallData } from '../types.ts';
import { isPassing, PATIENCE_MS, readTimeline, type Following } from './timeline.ts';

export interface WaitOptions {
  /** Ends the waiting, and not the call. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiting extends Following {
  readonly read: (callId: string, options: WaitOptions) => Promise<CallData>;
}

/** After so many streams in a row without a sign of life, a proxy on the way holds events back. */
const MAX_SILENT_STREAMS = 2;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Returns the call once it has ended. Follows its events, goes on where a connection broke, and reads the call in
 * between, so that it also ends where events do not come through.
 *
 * @throws OutdialError if the service does not answer for five minutes
 */
export async function waitForEnd(waiting: Waiting, callId: string, options: WaitOptions): Promise<CallData> {
  const { clock, random } = waiting;
  const progress: Progress = { lastEventId: undefined, silentStreams: 0, heardAtMs: clock.nowMs() };
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    try {
      const call = await waiting.read(callId, options);
      if (call.status === 'ended') return call;
      progress.heardAtMs = clock.nowMs();
    } catch (error) {
      if (!isPassing(error) || clock.nowMs() - progress.heardAtMs > PATIENCE_MS) throw error;
    }
    if (progress.silentStreams < MAX_SILENT_STREAMS) {
      if (await hasEndedOnStream(waiting, callId, options, progress)) continue;
    }
    await clock.sleep(pauseMs * (0.5 + random() / 2), options.signal);
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
}

interface Progress {
  lastEventId: string | undefined;
  silentStreams: number;
  heardAtMs: number;
}

async function hasEndedOnStream(
  waiting: Waiting,
  callId: string,
  { signal }: WaitOptions,
  progress: Progress,
): Promise<boolean> {
  progress.silentStreams += 1;
  const heard = () => {
    progress.silentStreams = 0;
    progress.heardAtMs = waiting.clock.nowMs();
  };
  try {
    const position = { signal, lastEventId: progress.lastEventId };
    for await (const { id, type } of readTimeline(waiting, callId, position, heard)) {
      progress.lastEventId = id;
      if (type === 'ended') return true;
    }
  } catch (error) {
    if (!isPassing(error)) throw error;
  }
  return false;
}
