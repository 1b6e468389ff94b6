/** Too many jobs wait: in this lane, or in all lanes together. */
export class FairLimiterFull extends Error {
  readonly scope: 'lane' | 'all';

  constructor(scope: 'lane' | 'all') {
    super(scope === 'lane' ? 'too many jobs wait in this lane' : 'too many jobs wait in all lanes');
    this.name = 'FairLimiterFull';
    this.scope = scope;
  }
}

export interface FairLimiterOptions {
  /** Jobs that run at once, over all lanes. */
  readonly maxRunning: number;
  readonly maxRunningPerLane: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerLane: number;
}

/** Limits how many jobs run at once, and serves lanes (a network, an account) in turn. */
export interface FairLimiter {
  /**
   * A job keeps its place until it settles and then until the promise of `pay` settles: a lane whose jobs cost others more
   * than their running time pays with its next place.
   * @throws FairLimiterFull
   */
  run<Value>(lane: string, work: () => Promise<Value>, pay?: (value: Value) => Promise<void>): Promise<Value>;
  /** Whether a job of this lane would be rejected now. */
  isFull(lane: string): boolean;
}

interface Waiting {
  readonly begin: () => void;
  readonly reject: (reason: FairLimiterFull) => void;
}

interface Lane {
  running: number;
  readonly waiting: Waiting[];
}

/**
 * First come, first served within a lane, and lanes in turn: however many jobs wait in one lane, the first job of
 * another starts within one round. When all waiting places are taken, the last job of the longest lane is rejected to
 * make room for a lane that has fewer.
 */
export function createFairLimiter(options: FairLimiterOptions): FairLimiter {
  const { maxRunning, maxRunningPerLane, maxWaiting, maxWaitingPerLane } = options;
  /** In the order of service: a lane that was served moves to the end. */
  const lanes = new Map<string, Lane>();
  let running = 0;
  let waiting = 0;

  /** Null: there is a free place. */
  function refusalOf(name: string): FairLimiterFull | null {
    const own = lanes.get(name)?.waiting.length ?? 0;
    if (startsAtOnce(name)) return null;
    if (own >= maxWaitingPerLane) return new FairLimiterFull('lane');
    return waiting >= maxWaiting && longestLane().waiting.length <= own + 1 ? new FairLimiterFull('all') : null;
  }

  function startsAtOnce(name: string): boolean {
    const lane = lanes.get(name);
    return (
      running < maxRunning && (lane === undefined || (lane.running < maxRunningPerLane && lane.waiting.length === 0))
    );
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
      longestLane().waiting.pop()?.reject(new FairLimiterFull('all'));
    }
    waiting += 1;
    await new Promise<void>((resolve, reject) => lane.waiting.push({ begin: resolve, reject }));
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
    // One place became free, so one job can start.
    beginNext();
  }

  function beginNext(): void {
    for (const [name, lane] of lanes) {
      if (lane.running >= maxRunningPerLane) continue;
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
    async run(name, work, pay) {
      const lane = await enter(name);
      try {
        const value = await work();
        if (pay) void pay(value).finally(() => leave(name, lane));
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
