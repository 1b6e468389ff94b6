import type { Clients } from '../load/clients.ts';
import type { Random } from '../random.ts';
import type { CarrierName } from '../stack/numbers.ts';
import type { Layout } from '../stack/postgres.ts';
import type { RedisKind } from '../stack/redis-kinds.ts';
import type { Stack } from '../stack/stack.ts';

export interface FaultContext {
  readonly stack: Stack;
  readonly clients: Clients;
  readonly random: Random;
  /** The run's `--minutes`, for faults with a variable duration. */
  readonly minutes: number;
  /** Whether the machine is idle, so that times count: under load the product refuses requests for now, as it promises. */
  readonly judgesTimes: boolean;
  readonly say: (text: string) => void;
}

/** A promised time, and the measured one. */
export interface Timing {
  readonly what: string;
  readonly tookMs: number;
  readonly promisedMs: number;
}

export interface FaultOutcome {
  readonly injected: number;
  /** The calls that were in the targeted state when the fault struck. With none, the fault has proved nothing. */
  readonly hit: number;
  /** From the injection until the affected part works again. */
  readonly recoveryMs: number | null;
  readonly timings?: readonly Timing[];
  /** Violations of what this fault alone expects, beside the invariants. */
  readonly violations?: readonly string[];
}

/** A failure that is injected at an exact place, and what must still be true. */
export interface Fault {
  readonly name: string;
  readonly expectation: string;
  readonly carrier: CarrierName;
  /** What the processes' Redis is; default: one server. */
  readonly redisKind?: RedisKind;
  /** Default: `single`. */
  readonly layout?: Layout;
  /** It needs its own stack, whose schema and processes are those of `deploy/rolling-from`. */
  readonly oneVersionBack?: true;
  /** Injects the fault, and resolves once the affected part works again. Open calls come to rest afterwards. */
  run(context: FaultContext): Promise<FaultOutcome>;
}
