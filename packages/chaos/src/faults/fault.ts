import type { Clients } from '../load/clients.ts';
import type { Random } from '../random.ts';
import type { CarrierName } from '../stack/numbers.ts';
import type { Stack } from '../stack/stack.ts';

export interface FaultContext {
  readonly stack: Stack;
  readonly clients: Clients;
  readonly random: Random;
  /** Of the whole run, for faults that go on as long as they are told to. */
  readonly minutes: number;
  readonly say: (text: string) => void;
}

/** A time that is promised, and how long it took. */
export interface Timing {
  readonly what: string;
  readonly tookMs: number;
  readonly promisedMs: number;
}

export interface FaultOutcome {
  readonly injected: number;
  /** Calls that were in the state that the fault is about when it struck. None: nothing has been shown. */
  readonly hit: number;
  /** From the injection until what it broke works again. */
  readonly recoveryMs: number | null;
  readonly timings?: readonly Timing[];
  /** What this fault alone expects, beside the invariants. */
  readonly violations?: readonly string[];
}

/** Something that goes wrong, brought about at an exact place, and what must be true all the same. */
export interface Fault {
  readonly name: string;
  readonly expectation: string;
  readonly carrier: CarrierName;
  /** Injects, and resolves once what it broke works again. What is still open then comes to rest afterwards. */
  run(context: FaultContext): Promise<FaultOutcome>;
}
