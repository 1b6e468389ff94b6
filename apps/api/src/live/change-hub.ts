import type { ChangedCall, ChangeReader } from '@outdial/calls';
import type { AccountId, CallId } from '@outdial/contracts';
import { pause, type Clock } from '@outdial/kernel';
import { groupByAccount, newsOf, type ChangeNews } from './change-news.ts';
import type { ChangePosition } from './change-position.ts';
import { createRounds } from './rounds.ts';

export interface ChangeHubOptions {
  readonly clock: Clock;
  readonly reader: ChangeReader;
  readonly onError: (error: unknown) => void;
}

/** @param position up to which every change has been sent, including these, so that a client can resume from it */
type OnNews = (news: ChangeNews, position: ChangePosition) => void;

/** Follows the calls of accounts for all clients of this process that watch them change. */
export interface ChangeHub {
  /**
   * Sends what has changed since the position; without one, a `resync` first, then later changes. May send a call
   * twice. A store that is away delays changes and loses none.
   * @returns a function that ends the subscription.
   */
  follow(accountId: AccountId, after: ChangePosition | null, onNews: OnNews): () => void;
  /** A call may have changed. */
  hint(): void;
  stop(): Promise<void>;
}

interface Follower {
  readonly accountId: AccountId;
  readonly onNews: OnNews;
  /** The position from which it catches up before it follows with the others; null once it does. */
  arrival: { readonly after: ChangePosition | null } | null;
}

/** The position of the last read. */
interface Standing extends ChangePosition {
  readonly lastId: bigint;
}

const ROUND_MS = 1_000;
/** The pause between reads: a call that changes several times in it is sent once, in its latest state. */
const GAP_MS = 100;
/** An older position is not resumed from, whatever account it belongs to: a list costs less. */
const MAX_BEHIND = 50_000n;

/** One statement per round for all followers, and one more for those that have just returned. */
export function createChangeHub({ clock, reader, onError }: ChangeHubOptions): ChangeHub {
  const followers = new Set<Follower>();
  /** Every follower has received all changes up to this id. Null: not known yet. */
  let standing: Standing | null = null;
  /** The last event of each call sent since: reads start at that id again each time. */
  let sentUpTo = new Map<CallId, bigint>();

  const rounds = createRounds<'any call'>({
    clock,
    everyMs: ROUND_MS,
    gapMs: GAP_MS,
    isWanted: () => followers.size > 0,
    onError,
    async read() {
      await readRound([...followers].filter(({ arrival }) => arrival === null));
      if (standing) await catchUp(standing);
    },
  });

  async function readRound(following: readonly Follower[]): Promise<void> {
    const reading = await reader.read({ accountIds: accountsOf(following), afterId: standing?.id ?? null });
    const { history, lastId, commitHorizon, changes } = reading;
    if (standing !== null && standing.history !== history) {
      // What was sent may not exist in this history, and what does exist was not sent.
      forget();
      for (const follower of following) follower.arrival = { after: null };
    }
    const id = commitHorizon ?? standing?.id;
    if (id === undefined) return;
    standing = { history, id, lastId };
    const news = groupByAccount(changes?.filter(isFresh) ?? null);
    for (const follower of following) if (follower.arrival === null) notify(follower, newsOf(follower.accountId, news));
    remember(changes ?? [], id);
    // A follower that received a resync needs time to list everything before the next one.
    if (changes === null) await pause(clock, ROUND_MS);
  }

  const isFresh = ({ call, eventId }: ChangedCall) => eventId > (sentUpTo.get(call.id) ?? 0n);

  function remember(changes: readonly ChangedCall[], commitHorizon: bigint): void {
    // Settled events are not read again.
    sentUpTo = new Map([...sentUpTo].filter(([, eventId]) => eventId > commitHorizon));
    for (const { call, eventId } of changes) if (eventId > commitHorizon) sentUpTo.set(call.id, eventId);
  }

  /** Sends followers that joined since the last round what they have missed. */
  async function catchUp(at: Standing): Promise<void> {
    const arrived = [...followers].filter(({ arrival }) => arrival !== null);
    const back = new Map(
      arrived.flatMap((follower) => {
        const after = follower.arrival?.after ?? null;
        return after !== null && isKnown(after, at) ? [[follower, after.id] as const] : [];
      }),
    );
    const changes = back.size === 0 ? [] : await changesSince(back);
    for (const follower of arrived) {
      const afterId = back.get(follower);
      const missed = changes?.filter(({ eventId }) => afterId !== undefined && eventId > afterId) ?? null;
      follower.arrival = null;
      if (afterId === undefined) notify(follower, { kind: 'resync' });
      else notify(follower, newsOf(follower.accountId, groupByAccount(missed)));
    }
  }

  async function changesSince(back: ReadonlyMap<Follower, bigint>): Promise<readonly ChangedCall[] | null> {
    const [first = 0n, ...others] = back.values();
    const afterId = others.reduce((least, id) => (id < least ? id : least), first);
    return (await reader.read({ accountIds: accountsOf([...back.keys()]), afterId })).changes;
  }

  function notify(follower: Follower, news: ChangeNews | null): void {
    if (news !== null && standing !== null && followers.has(follower)) follower.onNews(news, standing);
  }

  function forget(): void {
    standing = null;
    sentUpTo = new Map();
  }

  return {
    follow(accountId, after, onNews) {
      // Nothing was read while there was no follower, so the position is read again.
      if (followers.size === 0) forget();
      const follower: Follower = { accountId, onNews, arrival: { after } };
      followers.add(follower);
      rounds.begin();
      rounds.hint('any call');
      return () => void followers.delete(follower);
    },
    hint() {
      if (followers.size > 0) rounds.hint('any call');
    },
    stop: () => rounds.stop(),
  };
}

/** Whether every change after it can be sent. */
function isKnown(after: ChangePosition, { history, id, lastId }: Standing): boolean {
  return after.history === history && after.id <= lastId && id - after.id <= MAX_BEHIND;
}

function accountsOf(followers: readonly Follower[]): readonly AccountId[] {
  return [...new Set(followers.map(({ accountId }) => accountId))];
}
