import type { Database } from '../database.ts';

/** Work that one worker does at a time, for all of them. */
export type Duty = 'compare_gate' | 'retention';

export interface Duties {
  /** Takes a duty, or keeps it, for this long. False: another worker has it. */
  take(duty: Duty, forMs: number): Promise<boolean>;
  /** Leaves a duty to the others at once. No effect on a duty of another worker. */
  leave(duty: Duty): Promise<void>;
}

/**
 * A row per duty with its holder, rather than an advisory lock: a session that holds one needs its own connection, which a pooler
 * in transaction mode does not give. The worker that has a duty keeps it, so that it can compare a round with the one before.
 */
export function createDuties({ side }: Database, { workerId }: { readonly workerId: string }): Duties {
  return {
    async take(duty, forMs) {
      const taken = await side.$executeRaw`
        INSERT INTO worker_duties AS d (duty, holder, held_until)
        VALUES (${duty}, ${workerId}, clock_timestamp() + ${forMs}::int * interval '1 millisecond')
        ON CONFLICT (duty) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
        WHERE d.holder = excluded.holder OR d.held_until <= clock_timestamp()`;
      return taken === 1;
    },
    async leave(duty) {
      await side.$executeRaw`DELETE FROM worker_duties WHERE duty = ${duty} AND holder = ${workerId}`;
    },
  };
}
