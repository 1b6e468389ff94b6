import { microsToDecimal, tryEventSchema, type TryEvent, type TryId } from '@outdial/contracts';
import type { Clock, Timer } from '@outdial/kernel';
import type { TryRecord, TryStore } from '@outdial/persistence';
import type { TryChannel, TryText } from '@outdial/queue';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { EVENT_STREAM_HEADERS, type EventStream, type ServerSentEvent } from '../../http/event-stream.ts';
import { headerOf } from '../../http/header.ts';
import { noContent } from '../../http/reply.ts';
import type { OpenStreams } from '../../live/open-streams.ts';
import { followTryContract } from './contracts.ts';
import { findTry } from './talk.ts';

export interface FollowTryDeps {
  readonly clock: Clock;
  readonly streams: Pick<OpenStreams, 'open'>;
  readonly tries: {
    readonly store: Pick<TryStore, 'find'>;
    readonly channel: Pick<TryChannel, 'reportedAfter'>;
  };
}

/** Two tries an account at most: to look this often costs Redis little. */
const LOOK_EVERY_MS = 100;
/** What Redis lost is in Postgres: whether the try has ended. */
const CHECK_EVERY_LOOKS = 20;

export function followTryRoute(deps: FollowTryDeps): AccountRoute {
  return defineRoute(followTryContract, async ({ principal, params, rawHeaders, method }) => {
    const record = await findTry(deps, principal, params);
    const after = positionOf(headerOf(rawHeaders, 'Last-Event-ID'));
    const first = await deps.tries.channel.reportedAfter(record.tryId, after);
    if (after !== '0' && first.length === 0 && record.endedReason !== null) return noContent();
    if (method === 'HEAD') return { status: 200, headers: EVENT_STREAM_HEADERS, stream: null };
    const stream = deps.streams.open(principal);
    const find = () => findTry(deps, principal, params);
    new Follower(deps, stream, { tryId: record.tryId, after, find }).look();
    return { status: 200, headers: EVENT_STREAM_HEADERS, stream: stream.body };
  });
}

/** An id of Redis; anything else begins at the first event. */
function positionOf(lastEventId: string | null): string {
  return lastEventId !== null && /^\d{1,15}-\d{1,9}$/.test(lastEventId) ? lastEventId : '0';
}

interface Followed {
  readonly tryId: TryId;
  /** The last event that the client has. */
  readonly after: string;
  readonly find: () => Promise<TryRecord>;
}

/** Passes on what a try reports, until it has ended or the client is gone. */
class Follower {
  readonly #deps: FollowTryDeps;
  readonly #stream: EventStream;
  readonly #followed: Followed;
  #after: string;
  #looks = 0;
  #timer: Timer | null = null;
  #over = false;

  constructor(deps: FollowTryDeps, stream: EventStream, followed: Followed) {
    this.#deps = deps;
    this.#stream = stream;
    this.#followed = followed;
    this.#after = followed.after;
    stream.body.once('close', () => {
      this.#over = true;
      this.#timer?.cancel();
    });
  }

  look(): void {
    const again = () => {
      if (this.#over) return;
      this.#timer = this.#deps.clock.after(LOOK_EVERY_MS, () => this.look());
    };
    // A store that is away: the client waits.
    this.#pass().then(again, again);
  }

  async #pass(): Promise<void> {
    this.#looks += 1;
    const { tryId, find } = this.#followed;
    const record = this.#looks % CHECK_EVERY_LOOKS === 0 ? await find() : null;
    const reported = await this.#deps.tries.channel.reportedAfter(tryId, this.#after);
    this.#send(reported);
    if (this.#over || record === null || record.endedReason === null || reported.length > 0) return;
    const { endedReason: reason, costMicros } = record;
    const event: TryEvent = { type: 'ended', reason, cost: microsToDecimal(costMicros) };
    this.#stream.send([{ type: event.type, data: event }]);
    this.#end();
  }

  #send(reported: readonly TryText[]): void {
    const events = reported.flatMap(({ id, text }): readonly ServerSentEvent[] => {
      this.#after = id;
      const event = tryEventSchema.safeParse(JSON.parse(text));
      return event.success ? [{ id, type: event.data.type, data: event.data }] : [];
    });
    if (events.length === 0 || this.#over) return;
    this.#stream.send(events);
    if (events.some(({ type }) => type === 'ended')) this.#end();
  }

  #end(): void {
    this.#over = true;
    this.#stream.end();
  }
}
