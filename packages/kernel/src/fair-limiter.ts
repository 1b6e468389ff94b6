/** No more may wait: in this lane, or in all of them. */
export class FairLimiterFull extends Error {
  readonly scope: 'lane' | 'all';

  constructor(scope: 'lane' | 'all') {
    super(scope === 'lane' ? 'too many wait in this lane' : 'too many wait in all lanes');
    this.name = 'FairLimiterFull';
    this.scope = scope;
  }
}

export interface FairLimiterOptions {
  /** Works that run at the same time, of all lanes. */
  readonly atOnce: number;
  /** Of one lane. */
  readonly atOnceOfLane: number;
  readonly waiting: number;
  readonly waitingOfLane: number;
}

/** Runs works at most some at once, and takes turns between lanes: a network, an account. */
export interface FairLimiter {
  /**
   * The turn lasts until the work settles, and after that until what `hold` gives does: work that costs others more than
   * the time it takes is paid for with its lane's next turn.
   * @throws FairLimiterFull
   */
  run<Value>(lane: string, work: () => Promise<Value>, hold?: (value: Value) => Promise<void>): Promise<Value>;
  /** Whether a work of this lane would be refused now. */
  isFull(lane: string): boolean;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (reason: FairLimiterFull) => void;
}

interface Lane {
  running: number;
  readonly waiting: Waiting[];
}

/**
 * First come, first served within a lane, and one lane after the other: however many wait in one, the first of another is
 * next but one round. When all places are taken, the last of the longest lane makes way for a lane that has fewer.
 */
export function createFairLimiter({
  atOnce,
  atOnceOfLane,
  waiting: maxWaiting,
  waitingOfLane,
}: FairLimiterOptions): FairLimiter {
  /** In the order of their turns: a lane that has had one moves to the end. */
  const lanes = new Map<string, Lane>();
  let running = 0;
  let waiting = 0;

  /** Null: there is a place. */
  function refusalOf(name: string): FairLimiterFull | null {
    const own = lanes.get(name)?.waiting.length ?? 0;
    if (startsAtOnce(name)) return null;
    if (own >= waitingOfLane) return new FairLimiterFull('lane');
    return waiting >= maxWaiting && longestLane().waiting.length <= own + 1 ? new FairLimiterFull('all') : null;
  }

  function startsAtOnce(name: string): boolean {
    const lane = lanes.get(name);
    return running < atOnce && (lane === undefined || (lane.running < atOnceOfLane && lane.waiting.length === 0));
  }

  function longestLane(): Lane {
    let longest: Lane = { running: 0, waiting: [] };
    for (const lane of lanes.values()) if (lane.waiting.length > longest.waiting.length) longest = lane;
    return longest;
  }

  function laneOf(name: string): Lane {
    const known = lanes.get(name);
    if (known) return known;
    const lane: Lane = { running: 0, waiting: [] };
    lanes.set(name, lane);
    return lane;
  }

  async function enter(name: string): Promise<Lane> {
    const refusal = refusalOf(name);
    if (refusal) throw refusal;
    const startsNow = startsAtOnce(name);
    const lane = laneOf(name);
    if (startsNow) {
      begin(lane);
      return lane;
    }
    if (waiting >= maxWaiting) {
      waiting -= 1;
      longestLane().waiting.pop()?.refuse(new FairLimiterFull('all'));
    }
    waiting += 1;
    await new Promise<void>((resolve, reject) => lane.waiting.push({ begin: resolve, refuse: reject }));
    return lane;
  }

  function begin(lane: Lane): void {
    running += 1;
    lane.running += 1;
  }

  function leave(name: string, lane: Lane): void {
    running -= 1;
    lane.running -= 1;
    if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(name);
    // One place became free, so one work can begin.
    beginNext();
  }

  function beginNext(): void {
    for (const [name, lane] of lanes) {
      if (lane.running >= atOnceOfLane) continue;
      const next = lane.waiting.shift();
      if (!next) continue;
      waiting -= 1;
      begin(lane);
      lanes.delete(name);
      lanes.set(name, lane);
      next.begin();
      return;
    }
  }

  return {
    async run(name, work, hold) {
      const lane = await enter(name);
      try {
        const value = await work();
        if (hold) void hold(value).finally(() => leave(name, lane));
        else leave(name, lane);
        return value;
      } catch (error) {
        leave(name, lane);
        throw error;
      }
    },
    isFull: (name) => refusalOf(name) !== null,
  };
}
