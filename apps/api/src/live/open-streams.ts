import { pause, type Clock } from '@outdial/kernel';
import { openEventStream, type EventStream } from '../http/event-stream.ts';
import { ApiError } from '../http/api-error.ts';
import type { AccountPrincipal } from '../http/principal.ts';

export interface OpenStreamsOptions {
  readonly clock: Clock;
  /** The limit for a key, or for a session in one account. */
  readonly maxPerCaller: number;
  /** The limit for all keys of an account, and separately for all of its sessions. */
  readonly maxPerAccount: number;
  /** Whether the caller still has access. Rejects while this cannot be determined. */
  readonly hasAccess: (principal: AccountPrincipal) => Promise<boolean>;
}

/** The event streams that this process holds open. */
export interface OpenStreams {
  /** @throws ApiError `rate_limited` if the caller or its account has reached its limit */
  open(principal: AccountPrincipal): EventStream;
  /**
   * Takes the place of a stream that is built elsewhere, and returns the function that releases it. `held.end` is called
   * when the caller loses its access and when the process stops. @throws ApiError `rate_limited`
   */
  hold(principal: AccountPrincipal, held: HeldStream): () => void;
  /** Ends every stream, and from now on each new one at once: the client reconnects to another process. */
  end(): void;
}

export type HeldStream = Pick<EventStream, 'end'>;

interface OfCaller {
  readonly principal: AccountPrincipal;
  readonly streams: Set<HeldStream>;
}

/** How often a caller with a stream is checked: a request is checked once, but a stream lasts for hours. */
const CHECK_EVERY_MS = 1_000;
/** One after another, checking a thousand callers would take longer than they may keep their streams. */
const MAX_CONCURRENT_CHECKS = 10;

export function createOpenStreams({ clock, maxPerCaller, maxPerAccount, hasAccess }: OpenStreamsOptions): OpenStreams {
  const callers = new Map<string, OfCaller>();
  let isEnding = false;
  let isChecking = false;

  async function checkWhileOpen(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    while (callers.size > 0) {
      await pause(clock, CHECK_EVERY_MS);
      await checkAll();
    }
    isChecking = false;
  }

  async function checkAll(): Promise<void> {
    const all = [...callers.values()];
    for (let start = 0; start < all.length; start += MAX_CONCURRENT_CHECKS) {
      try {
        await Promise.all(all.slice(start, start + MAX_CONCURRENT_CHECKS).map(check));
      } catch {
        // A store is away, for every caller; no caller loses a stream for that.
        return;
      }
    }
  }

  async function check({ principal, streams }: OfCaller): Promise<void> {
    if (await hasAccess(principal)) return;
    for (const stream of streams) stream.end();
  }

  function keep(id: string, principal: AccountPrincipal, stream: HeldStream): () => void {
    const ofCaller = callers.get(id) ?? { principal, streams: new Set() };
    callers.set(id, ofCaller);
    ofCaller.streams.add(stream);
    return () => {
      if (ofCaller.streams.delete(stream) && ofCaller.streams.size === 0) callers.delete(id);
    };
  }

  function requirePlace(id: string, principal: AccountPrincipal): void {
    if ((callers.get(id)?.streams.size ?? 0) >= maxPerCaller) throw tooManyStreams(principal, maxPerCaller);
    if (streamsOfAccount(principal) >= maxPerAccount) throw tooManyOfAccount(maxPerAccount);
  }

  function hold(principal: AccountPrincipal, held: HeldStream): () => void {
    const id = idOf(principal);
    requirePlace(id, principal);
    if (isEnding) {
      held.end();
      return () => undefined;
    }
    const release = keep(id, principal, held);
    void checkWhileOpen();
    return release;
  }

  /** Scanned only when a stream is opened, among the few callers that hold any. */
  function streamsOfAccount({ account, caller }: AccountPrincipal): number {
    let count = 0;
    for (const { principal: other, streams } of callers.values()) {
      if (other.account.id === account.id && other.caller.kind === caller.kind) count += streams.size;
    }
    return count;
  }

  return {
    hold,
    open(principal) {
      requirePlace(idOf(principal), principal);
      const stream = openEventStream(clock);
      stream.body.once('close', hold(principal, stream));
      return stream;
    },
    end() {
      isEnding = true;
      for (const { streams } of callers.values()) for (const stream of streams) stream.end();
    },
  };
}

/** A session has separate streams in each account: it may lose one membership and keep another. */
function idOf({ account, caller }: AccountPrincipal): string {
  switch (caller.kind) {
    case 'api_key':
      return caller.key.id;
    case 'session':
      return `${caller.session.id} ${account.id}`;
    default:
      return caller satisfies never;
  }
}

function tooManyStreams({ caller }: AccountPrincipal, max: number): ApiError {
  const holder = caller.kind === 'api_key' ? 'This API key' : 'This session';
  return new ApiError({
    code: 'rate_limited',
    publicMessage: `${holder} has reached its limit of ${max} open event streams. Close one, then open another.`,
    details: { scope: caller.kind === 'api_key' ? 'key' : 'user' },
    retryAfterSeconds: 1,
  });
}

function tooManyOfAccount(max: number): ApiError {
  return new ApiError({
    code: 'rate_limited',
    publicMessage: `This account has reached its limit of ${max} open event streams. Close one, then open another.`,
    details: { scope: 'account' },
    retryAfterSeconds: 1,
  });
}
