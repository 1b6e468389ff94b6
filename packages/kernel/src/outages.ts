import { pause, type Clock } from './clock.ts';
import { setAside, type Logger } from './logger.ts';

/** What a process works with and may have to do without for a while. */
export interface WatchedStore {
  /** The lines of the log. */
  readonly says: { readonly away: string; readonly back: string };
  /** Whether an error says that the store is away, rather than what it thinks of a request. */
  readonly isAway: (error: unknown) => boolean;
  /** Rejects unless the store can be worked with now. */
  readonly ping: () => Promise<unknown>;
}

/** How a store is, as far as this process has noticed. */
export interface StoreCondition {
  readonly store: string;
  readonly isAway: boolean;
  /** How often it went away since the watch began. */
  readonly outages: number;
}

export interface OutageWatch<Name extends string> {
  /** A connection was lost: asks the store whether it is away. */
  suspect(store: Name): void;
  conditions(): readonly StoreCondition[];
  stop(): void;
}

export interface OutageWatchOptions<Name extends string> {
  readonly stores: Readonly<Record<Name, WatchedStore>>;
  /** Whether an error may come of an outage without telling of which: a deadline that has passed. */
  readonly mayFollow?: (error: unknown) => boolean;
  /** From `createLogger`, and not a child. */
  readonly logger: Logger;
  readonly clock: Clock;
}

const PING_INTERVAL_MS = 500;
/** A process that starts needs a while to connect, which is no outage. */
const FIRST_PINGS = 6;

/**
 * From now on `logger` and its children say once that a store is away, and once that it is back. What fails meanwhile
 * because of it is written at debug level alone: with a line for every retry of every loop, call and request, an outage
 * of a minute would bury everything else.
 */
export function watchOutages<Name extends string>(options: OutageWatchOptions<Name>): OutageWatch<Name> {
  const { logger, clock, mayFollow = () => false } = options;
  const stores: readonly WatchedStore[] = Object.values(options.stores);
  const unmet = new Set(stores);
  const away = new Set<WatchedStore>();
  const outages = new Map<WatchedStore, number>();
  const stopping = new AbortController();
  let asking = 0;

  const storeOf = (error: unknown) => stores.find((store) => comesOf(store, error));

  function begin(store: WatchedStore, error: unknown): void {
    if (unmet.has(store) || away.has(store) || stopping.signal.aborted) return;
    away.add(store);
    outages.set(store, (outages.get(store) ?? 0) + 1);
    logger.warn(
      { event: 'store.away', reason: error instanceof Error ? lastLine(error.message) : String(error) },
      store.says.away,
    );
    void untilBack(store);
  }

  async function meet(store: WatchedStore): Promise<void> {
    let error: unknown;
    for (let attempt = 0; attempt < FIRST_PINGS && !stopping.signal.aborted; attempt += 1) {
      if (attempt > 0) await pause(clock, PING_INTERVAL_MS, stopping.signal);
      try {
        await store.ping();
        unmet.delete(store);
        return;
      } catch (silence) {
        error = silence;
      }
    }
    unmet.delete(store);
    begin(store, error);
  }

  async function untilBack(store: WatchedStore): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(clock, PING_INTERVAL_MS, stopping.signal);
      if (await answers(store)) break;
    }
    away.delete(store);
    if (!stopping.signal.aborted) logger.warn({ event: 'store.back' }, store.says.back);
  }

  async function ask(store: WatchedStore): Promise<void> {
    asking += 1;
    // What stands in one store is away with it: the error tells.
    await store.ping().catch((error: unknown) => begin(storeOf(error) ?? store, error));
    asking -= 1;
  }

  setAside(logger, (error) => {
    const store = storeOf(error);
    if (store) begin(store, error);
    if (store || !mayFollow(error)) return store !== undefined;
    if (away.size > 0 || asking > 0) return true;
    // The first of perhaps many: it is said, and the stores are asked whether it was one of them.
    for (const suspect of stores) void ask(suspect);
    return false;
  });

  for (const store of stores) void meet(store);
  return {
    suspect: (name) => void ask(options.stores[name]),
    conditions: () =>
      Object.entries<WatchedStore>(options.stores).map(([name, store]) => ({
        store: name,
        isAway: away.has(store),
        outages: outages.get(store) ?? 0,
      })),
    stop: () => stopping.abort(),
  };
}

/** Also where the error of the store is wrapped in another, or in one that sums several up. */
function comesOf(store: WatchedStore, error: unknown, within: readonly unknown[] = []): boolean {
  if (store.isAway(error)) return true;
  // Errors may be each other's cause.
  if (within.includes(error)) return false;
  const around = [...within, error];
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every((one) => comesOf(store, one, around));
  return error instanceof Error && error.cause !== undefined && comesOf(store, error.cause, around);
}

function answers(store: WatchedStore): Promise<boolean> {
  return store.ping().then(
    () => true,
    () => false,
  );
}

/** Prisma's messages are paragraphs that quote the call; what went wrong stands at their end. */
function lastLine(message: string): string {
  return message.trimEnd().split('\n').at(-1) ?? '';
}
