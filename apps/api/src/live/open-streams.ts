import { pause, type Clock } from '@outdial/kernel';
import { openEventStream, type EventStream } from '../http/event-stream.ts';
import { ApiFault } from '../http/fault.ts';
import type { AccountPrincipal } from '../http/principal.ts';

export interface OpenStreamsOptions {
  readonly clock: Clock;
  /** Of a key, or of a session in one account. */
  readonly maxPerCaller: number;
  /** Of all keys of an account, and as many of all its sessions. */
  readonly maxPerAccount: number;
  /** Whether the caller would still be let in. Rejects while that cannot be learnt. */
  readonly isAdmitted: (principal: AccountPrincipal) => Promise<boolean>;
}

/** The event streams that this process holds open. */
export interface OpenStreams {
  /** @throws ApiFault `rate_limited` if the caller, or its account, holds as many as it may. */
  open(principal: AccountPrincipal): EventStream;
  /** Ends all of them, and from now on each as it is opened: whoever asks again finds another process. */
  end(): void;
}

interface OfCaller {
  readonly principal: AccountPrincipal;
  readonly streams: Set<EventStream>;
}

/** A caller is looked at this often while it holds a stream: a request is checked once, a stream lasts for hours. */
const CHECK_EVERY_MS = 1_000;
/** One after another, a thousand callers would take longer than they may keep their streams. */
const CHECKED_AT_ONCE = 10;

export function createOpenStreams({ clock, maxPerCaller, maxPerAccount, isAdmitted }: OpenStreamsOptions): OpenStreams {
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
    for (let start = 0; start < all.length; start += CHECKED_AT_ONCE) {
      try {
        await Promise.all(all.slice(start, start + CHECKED_AT_ONCE).map(check));
      } catch {
        // A store is away, for all of them; nobody loses a stream by that.
        return;
      }
    }
  }

  async function check({ principal, streams }: OfCaller): Promise<void> {
    if (await isAdmitted(principal)) return;
    for (const stream of streams) stream.end();
  }

  function keep(id: string, principal: AccountPrincipal, stream: EventStream): void {
    const ofCaller = callers.get(id) ?? { principal, streams: new Set() };
    callers.set(id, ofCaller);
    ofCaller.streams.add(stream);
    stream.body.once('close', () => {
      ofCaller.streams.delete(stream);
      if (ofCaller.streams.size === 0) callers.delete(id);
    });
  }

  /** Looked at only as a stream is opened, among the few callers that hold any. */
  function streamsOfAccount({ account, caller }: AccountPrincipal): number {
    let count = 0;
    for (const { principal: other, streams } of callers.values()) {
      if (other.account.id === account.id && other.caller.kind === caller.kind) count += streams.size;
    }
    return count;
  }

  return {
    open(principal) {
      const id = idOf(principal);
      if ((callers.get(id)?.streams.size ?? 0) >= maxPerCaller) throw tooManyStreams(principal, maxPerCaller);
      if (streamsOfAccount(principal) >= maxPerAccount) throw tooManyOfAccount(maxPerAccount);
      const stream = openEventStream(clock);
      if (isEnding) stream.end();
      else keep(id, principal, stream);
      void checkWhileOpen();
      return stream;
    },
    end() {
      isEnding = true;
      for (const { streams } of callers.values()) for (const stream of streams) stream.end();
    },
  };
}

/** A session has streams of its own in each account: it may lose one membership and keep another. */
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

function tooManyStreams({ caller }: AccountPrincipal, max: number): ApiFault {
  const holder = caller.kind === 'api_key' ? 'This API key' : 'This session';
  return new ApiFault({
    code: 'rate_limited',
    publicMessage: `${holder} holds ${max} event streams open, as many as it may. End one, then open another.`,
    details: { scope: caller.kind === 'api_key' ? 'key' : 'user' },
    retryAfterSeconds: 1,
  });
}

function tooManyOfAccount(max: number): ApiFault {
  return new ApiFault({
    code: 'rate_limited',
    publicMessage: `This account holds ${max} event streams open, as many as it may. End one, then open another.`,
    details: { scope: 'account' },
    retryAfterSeconds: 1,
  });
}
