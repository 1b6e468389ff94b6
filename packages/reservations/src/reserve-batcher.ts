import type { ReserveInput, ReserveOutcome } from '@outdial/calls';
import type { ScriptContext } from './scripts/define-script.ts';
import { reserveAll, reserveArguments, type ReserveArguments } from './scripts/reserve.ts';

/** Batches reservations. */
export interface ReserveBatcher {
  reserve(input: ReserveInput): Promise<ReserveOutcome>;
  /** Sends the gathered reservations. Call it before a release: a release before its reservation would free nothing. */
  send(): void;
}

/** Small enough that other gates' commands wait less than a millisecond behind one run. */
const MAX_RESERVATIONS = 100;

interface Waiting {
  readonly args: ReserveArguments;
  readonly resolve: (outcome: ReserveOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One run of the script for all reservations requested within one iteration of the event loop. Requests come in bursts,
 * and most costs of a run arise once, on both sides: checking the identity, checking the gate, one command and one reply.
 */
export function createReserveBatcher(context: ScriptContext): ReserveBatcher {
  let gathered: Waiting[] = [];

  async function run(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await reserveAll(
        context,
        batch.map(({ args }) => args),
      );
      for (const [index, outcome] of outcomes.entries()) batch[index]?.resolve(outcome);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function send(): void {
    if (gathered.length === 0) return;
    const batch = gathered;
    gathered = [];
    void run(batch);
  }

  return {
    send,
    async reserve(input) {
      const args = reserveArguments(input);
      return new Promise((resolve, reject) => {
        if (gathered.length === 0) setImmediate(send);
        gathered.push({ args, resolve, reject });
        if (gathered.length === MAX_RESERVATIONS) send();
      });
    },
  };
}
