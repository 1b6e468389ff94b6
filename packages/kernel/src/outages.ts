import { pause, type Clock } from './clock.ts';
import { demoteReportedErrors, type Logger } from './logger.ts';

/** A store that may be unavailable for a while. */
export interface WatchedStore {
  /** The log messages. */
  readonly messages: { readonly away: string; readonly back: string };
  /** Whether an error means that the store is away, rather than that it rejects a request. */
  readonly isAway: (error: unknown) => boolean;
  /** Rejects unless the store is usable now. */
  readonly ping: () => Promise<unknown>;
}

/** The condition of a store, as far as this process has noticed. */
export interface StoreCondition {
  readonly store: string;
  readonly isAway: boolean;
  /** How many outages there were since the watch began. */
  readonly outages: number;
}

export interface OutageWatch<Name extends string> {
  /** A connection was lost: pings the store to find out whether it is away. */
  suspect(store: Name): void;
  conditions(): readonly StoreCondition[];
  stop(): void;
}

export interface OutageWatchOptions<Name extends string> {
  readonly stores: Readonly<Record<Name, WatchedStore>>;
  /** Whether an outage may have caused an error that does not name a store, such as an exceeded deadline. */
  readonly mayFollowOutage?: (error: unknown) => boolean;
  /** From `createLogger`, and not a child. */
  readonly logger: Logger;
  readonly clock: Clock;
}

const PING_INTERVAL_MS = 500;
/** A starting process needs a while to connect. That is no outage. */
const FIRST_PINGS = 6;
/** Longer than any deadline of a request: one that began while the store was away may fail after it is back. */
const AFTERMATH_MS = 5_000;

/**
 * From now on, `logger` and its children log once that a store is away and once that it is back. Errors that the outage
 * causes are logged at debug level: one line per retry of every loop, call and request would bury everything else.
 */
export function watchOutages<Name extends string>(options: OutageWatchOptions<Name>): OutageWatch<Name> {
  const { logger, clock, mayFollowOutage = () => false } = options;
  const stores: readonly WatchedStore[] = Object.values(options.stores);
  const unmet = new Set(stores);
  const away = new Set<WatchedStore>();
  const outages = new Map<WatchedStore, number>();
  const stopping = new AbortController();
  const backAtMs = new Map<WatchedStore, number>();
  const confirming = new Set<WatchedStore>();
  let asking = 0;

  const isAftermath = (store: WatchedStore) => clock.monotonicMs() - (backAtMs.get(store) ?? -Infinity) < AFTERMATH_MS;
  const storeOf = (error: unknown) => stores.find((store) => comesOf(store, error, mayFollowOutage));

  function begin(store: WatchedStore, error: unknown): void {
    if (unmet.has(store) || away.has(store) || stopping.signal.aborted) return;
    away.add(store);
    outages.set(store, (outages.get(store) ?? 0) + 1);
    logger.warn(
      { event: 'store.away', reason: error instanceof Error ? lastLine(error.message) : String(error) },
      store.messages.away,
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
    backAtMs.set(store, clock.monotonicMs());
    if (!stopping.signal.aborted) logger.warn({ event: 'store.back' }, store.messages.back);
  }

  /** Of a store that has just come back, pings decide: the error may be left over from the outage. */
  function noticed(store: WatchedStore, error: unknown): void {
    if (away.has(store)) return;
    if (isAftermath(store)) void confirm(store);
    else begin(store, error);
  }

  async function ask(store: WatchedStore): Promise<void> {
    asking += 1;
    try {
      await store.ping();
    } catch (error) {
      // A store may depend on another one: the error says which is away.
      noticed(storeOf(error) ?? store, error);
    } finally {
      asking -= 1;
    }
  }

  /**
   * Whether a store that has just come back is away again: it is if it stays away. While its nodes agree on who leads, some
   * answer and some refuse. A thousand errors of one moment ask once.
   */
  async function confirm(store: WatchedStore): Promise<void> {
    if (confirming.has(store)) return;
    confirming.add(store);
    asking += 1;
    try {
      if (await answers(store)) return;
      await pause(clock, PING_INTERVAL_MS, stopping.signal);
      await store.ping();
    } catch (error) {
      const cause = storeOf(error) ?? store;
      if (cause === store) begin(store, error);
      else noticed(cause, error);
    } finally {
      asking -= 1;
      confirming.delete(store);
    }
  }

  demoteReportedErrors(logger, (error) => {
    const store = storeOf(error);
    if (store) noticed(store, error);
    if (store || !mayFollowOutage(error)) return store !== undefined;
    if (away.size > 0 || asking > 0) return true;
    // The first of perhaps many such errors: the stores are pinged to find out whether one is the cause. It is logged
    // too, unless it may come of an outage that has just ended.
    for (const suspect of stores) void ask(suspect);
    return stores.some(isAftermath);
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

/** Also finds the store's error inside another error, or in an aggregate of nothing else but what an outage entails. */
function comesOf(
  store: WatchedStore,
  error: unknown,
  mayFollowOutage: (error: unknown) => boolean,
  within: readonly unknown[] = [],
): boolean {
  if (store.isAway(error)) return true;
  // Errors may be each other's cause.
  if (within.includes(error)) return false;
  const isOfStore = (one: unknown) => comesOf(store, one, mayFollowOutage, [...within, error]);
  if (error instanceof AggregateError)
    return error.errors.some(isOfStore) && error.errors.every((one) => isOfStore(one) || mayFollowOutage(one));
  return error instanceof Error && error.cause !== undefined && isOfStore(error.cause);
}

function answers(store: WatchedStore): Promise<boolean> {
  return store.ping().then(
    () => true,
    () => false,
  );
}

/** Prisma's messages are paragraphs that quote the call; the actual error is the last line. */
function lastLine(message: string): string {
  return message.trimEnd().split('\n').at(-1) ?? '';
}
