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

/** @param position up to which everything has been told with this, to go on from another time. */
type OnNews = (news: ChangeNews, position: ChangePosition) => void;

/** Follows the calls of accounts for everybody in this process who wants to see them change. */
export interface ChangeHub {
  /**
   * Tells what has changed since the position; without one, `resync` once, and what changes from then on. A call may be
   * told twice. A store that is away delays changes and loses none. @returns what ends it.
   */
  follow(accountId: AccountId, after: ChangePosition | null, onNews: OnNews): () => void;
  /** Some call may have changed. */
  hint(): void;
  stop(): Promise<void>;
}

interface Follower {
  readonly accountId: AccountId;
  readonly onNews: OnNews;
  /** What it has to be told before it follows with the others; null once it does. */
  arrival: { readonly after: ChangePosition | null } | null;
}

/** Where things stood at the last reading. */
interface Standing extends ChangePosition {
  readonly lastId: bigint;
}

const ROUND_MS = 1_000;
/** Between readings: whatever changes meanwhile is told once, as it then is, however many times it has changed. */
const GAP_MS = 100;
/** A position further back is not read on from, whoever's events those are: a list costs less. */
const MAX_BEHIND = 50_000n;

/** One statement a round for all who follow, and one more for those who have just come back. */
export function createChangeHub({ clock, reader, onError }: ChangeHubOptions): ChangeHub {
  const followers = new Set<Follower>();
  /** Up to its id, everybody who follows has been told everything. Null: nothing is known yet. */
  let standing: Standing | null = null;
  /** The last event of each call that was told since: readings begin at that id, again and again. */
  let told = new Map<CallId, bigint>();

  const rounds = createRounds<'any call'>({
    clock,
    everyMs: ROUND_MS,
    gapMs: GAP_MS,
    isWanted: () => followers.size > 0,
    onError,
    async read() {
      await readOn([...followers].filter(({ arrival }) => arrival === null));
      if (standing) await letIn(standing);
    },
  });

  async function readOn(following: readonly Follower[]): Promise<void> {
    const reading = await reader.read({ accountIds: accountsOf(following), afterId: standing?.id ?? null });
    const { history, lastId, commitHorizon, changes } = reading;
    if (standing !== null && standing.history !== history) {
      // What was told may never have happened in this course of events, and what did was not told.
      forget();
      for (const follower of following) follower.arrival = { after: null };
    }
    const id = commitHorizon ?? standing?.id;
    if (id === undefined) return;
    standing = { history, id, lastId };
    const news = groupByAccount(changes?.filter(isFresh) ?? null);
    for (const follower of following) if (follower.arrival === null) tell(follower, newsOf(follower.accountId, news));
    remember(changes ?? [], id);
    // Whoever was told to list everything should not be told so again before it has.
    if (changes === null) await pause(clock, ROUND_MS);
  }

  const isFresh = ({ call, eventId }: ChangedCall) => eventId > (told.get(call.id) ?? 0n);

  function remember(changes: readonly ChangedCall[], commitHorizon: bigint): void {
    // What is settled is not read again.
    told = new Map([...told].filter(([, eventId]) => eventId > commitHorizon));
    for (const { call, eventId } of changes) if (eventId > commitHorizon) told.set(call.id, eventId);
  }

  /** Tells those who came since the last round what they have missed. */
  async function letIn(at: Standing): Promise<void> {
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
      if (afterId === undefined) tell(follower, { kind: 'resync' });
      else tell(follower, newsOf(follower.accountId, groupByAccount(missed)));
    }
  }

  async function changesSince(back: ReadonlyMap<Follower, bigint>): Promise<readonly ChangedCall[] | null> {
    const [first = 0n, ...others] = back.values();
    const afterId = others.reduce((least, id) => (id < least ? id : least), first);
    return (await reader.read({ accountIds: accountsOf([...back.keys()]), afterId })).changes;
  }

  function tell(follower: Follower, news: ChangeNews | null): void {
    if (news !== null && standing !== null && followers.has(follower)) follower.onNews(news, standing);
  }

  function forget(): void {
    standing = null;
    told = new Map();
  }

  return {
    follow(accountId, after, onNews) {
      // Nothing was read while nobody followed: where things stand is asked anew.
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

/** Whether all that came after it can be told. */
function isKnown(after: ChangePosition, { history, id, lastId }: Standing): boolean {
  return after.history === history && after.id <= lastId && id - after.id <= MAX_BEHIND;
}

function accountsOf(followers: readonly Follower[]): readonly AccountId[] {
  return [...new Set(followers.map(({ accountId }) => accountId))];
}
