import type { ReserveInput, ReserveOutcome } from '@outdial/calls';
import type { ScriptContext } from './scripts/define-script.ts';
import { attemptArguments, reserveAll, type AttemptArguments } from './scripts/reserve.ts';

/** Reservations that are made together. */
export interface ReserveTogether {
  reserve(input: ReserveInput): Promise<ReserveOutcome>;
  /** Sends what has gathered. To be called before a release: one that overtook its reservation would free nothing. */
  send(): void;
}

/** Small enough that other gates' commands wait less than a millisecond behind one run. */
const MAX_ATTEMPTS = 100;

interface Waiting {
  readonly attempt: AttemptArguments;
  readonly resolve: (outcome: ReserveOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One run of the script for all that ask within one turn of the event loop. Requests come in swarms, and most of what
 * a run costs, on both sides, it costs once: who this Redis is, whether the gate is open, a command and its answer.
 */
export function createReserveTogether(context: ScriptContext): ReserveTogether {
  let gathered: Waiting[] = [];

  async function run(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await reserveAll(
        context,
        batch.map(({ attempt }) => attempt),
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
      const attempt = attemptArguments(input);
      return new Promise((resolve, reject) => {
        if (gathered.length === 0) setImmediate(send);
        gathered.push({ attempt, resolve, reject });
        if (gathered.length === MAX_ATTEMPTS) send();
      });
    },
  };
}
