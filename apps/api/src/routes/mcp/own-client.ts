import { pause, type Clock } from '@outdial/kernel';
import { Outdial } from '@outdial/sdk';

export interface OwnClientOptions {
  readonly clock: Clock;
  readonly apiKey: string;
  /** Where this process answers. */
  readonly baseUrl: string;
  /** Of the request that is answered: the log joins it with the requests that it causes. */
  readonly requestId: string;
}

/** A client of this service itself, as the sender of a request would open it. */
export function openOwnClient({ clock, apiKey, baseUrl, requestId }: OwnClientOptions): Outdial {
  return new Outdial({
    apiKey,
    baseUrl,
    // This process itself, at whichever address it listens.
    allowHttp: true,
    clock: {
      nowMs: () => clock.nowMs(),
      async sleep(ms, signal) {
        await pause(clock, ms, signal);
        signal?.throwIfAborted();
      },
    },
    fetch(request) {
      request.headers.set('X-Request-Id', requestId);
      return fetch(request);
    },
  });
}
