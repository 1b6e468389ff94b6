import type { CallId } from '@outdial/contracts';
import type { SimulatedPostgres } from '../stores/simulated-postgres.ts';
import type { WorldClock } from './clock.ts';
import type { SilentConversations } from './conversations.ts';
import type { Process } from './process.ts';

/** A callee's wish for no more calls, as a process that was running heard it. */
export interface HeardOptOut {
  readonly callId: CallId;
  readonly process: Process;
  readonly atMs: number;
  /** Of the call, if the process was its driver then; another one drove it otherwise. */
  readonly epoch: number | null;
}

interface OptOutsInput {
  readonly clock: WorldClock;
  readonly postgres: SimulatedPostgres;
  readonly conversations: SilentConversations;
}

/** The wishes of all callees: outside everything that may crash. */
export class OptOuts {
  readonly heard: HeardOptOut[] = [];
  /** The calls whose process knows that the wish is stored. */
  readonly confirmed = new Set<CallId>();
  readonly #input: OptOutsInput;

  constructor(input: OptOutsInput) {
    this.#input = input;
  }

  /** The callee of one of the calls that talk wants no more calls; the agent may hang up on it at once. */
  async say(pick: number, { hangsUp }: { readonly hangsUp: boolean }): Promise<void> {
    const { clock, postgres, conversations } = this.#input;
    const talking = conversations.running().filter(({ isTalking }) => isTalking);
    const speaker = talking[pick % talking.length];
    if (!speaker) return;
    const { callId, process } = speaker;
    const isNew = this.heard.every((other) => other.callId !== callId || other.process !== process);
    if (isNew) this.heard.push({ callId, process, atMs: clock.nowMs, epoch: await epochOf(postgres, speaker) });
    speaker.listener({ kind: 'opt_out', evidence: 'key', note: null });
    if (hangsUp) speaker.listener({ kind: 'hang_up', reason: 'opted_out' });
  }
}

async function epochOf(
  { client }: SimulatedPostgres,
  { callId, process }: Pick<HeardOptOut, 'callId' | 'process'>,
): Promise<number | null> {
  const { rows } = await client.query<{ epoch: number }>(
    `SELECT epoch FROM calls WHERE id = $1 AND worker_id = $2 AND ended_at IS NULL`,
    [callId, process.name],
  );
  return rows[0]?.epoch ?? null;
}
