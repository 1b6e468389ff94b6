import type { KeyRecord } from '@outdial/calls';
import type { ApiKeyId } from '@outdial/contracts';
import { pause, type Clock } from '@outdial/kernel';
import { openEventStream, type EventStream } from '../http/event-stream.ts';
import { ApiFault } from '../http/fault.ts';

export interface OpenStreamsOptions {
  readonly clock: Clock;
  readonly maxPerKey: number;
  /** Whether the key still lets its holder in. Rejects while that cannot be learnt. */
  readonly isAdmitted: (key: KeyRecord) => Promise<boolean>;
}

/** The event streams that this process holds open. */
export interface OpenStreams {
  /** @throws ApiFault `rate_limited` if the key holds as many as it may. */
  open(key: KeyRecord): EventStream;
  /** Ends all of them, and from now on each as it is opened: whoever asks again finds another process. */
  end(): void;
}

interface OfKey {
  readonly key: KeyRecord;
  readonly streams: Set<EventStream>;
}

/** A key is looked at this often for as long as it holds a stream: a request is checked once, a stream lasts for hours. */
const CHECK_EVERY_MS = 1_000;

export function createOpenStreams({ clock, maxPerKey, isAdmitted }: OpenStreamsOptions): OpenStreams {
  const keys = new Map<ApiKeyId, OfKey>();
  let isEnding = false;
  let isChecking = false;

  async function checkWhileOpen(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    while (keys.size > 0) {
      await pause(clock, CHECK_EVERY_MS);
      await checkAll();
    }
    isChecking = false;
  }

  async function checkAll(): Promise<void> {
    for (const { key, streams } of keys.values()) {
      try {
        if (await isAdmitted(key)) continue;
      } catch {
        // A store is away, for all of them; nobody loses a stream by that.
        return;
      }
      for (const stream of streams) stream.end();
    }
  }

  function keep(key: KeyRecord, stream: EventStream): void {
    const ofKey = keys.get(key.id) ?? { key, streams: new Set() };
    keys.set(key.id, ofKey);
    ofKey.streams.add(stream);
    stream.body.once('close', () => {
      ofKey.streams.delete(stream);
      if (ofKey.streams.size === 0) keys.delete(key.id);
    });
  }

  return {
    open(key) {
      if ((keys.get(key.id)?.streams.size ?? 0) >= maxPerKey) throw tooManyStreams(maxPerKey);
      const stream = openEventStream(clock);
      if (isEnding) stream.end();
      else keep(key, stream);
      void checkWhileOpen();
      return stream;
    },
    end() {
      isEnding = true;
      for (const { streams } of keys.values()) for (const stream of streams) stream.end();
    },
  };
}

function tooManyStreams(maxPerKey: number): ApiFault {
  return new ApiFault({
    code: 'rate_limited',
    publicMessage: `This API key holds ${maxPerKey} event streams open, as many as it may. End one, then open another.`,
    retryAfterSeconds: 1,
  });
}
