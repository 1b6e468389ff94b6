import { reservationIdSchema, type CallId } from '@outdial/contracts';
import { settle } from '../world/clock.ts';
import { linesOf } from '../processes/model-lines.ts';
import type { ActionKind } from '../profile.ts';
import { choose, rest, type Act } from './action.ts';

const CLOSED_FOR_MS = [1_000, 5_000, 15_000];

/** Breakers close lines, and calls fall back to other credentials. */
export const LINE_ACTS = {
  async close_line({ workers, profile }, pick) {
    const running = workers.filter(({ process }) => process.state === 'running');
    const line = choose(linesOf(profile), rest(pick));
    if (line) choose(running, pick)?.closeLine(line.name, choose(CLOSED_FOR_MS, rest(pick)) ?? 0);
    await settle();
  },
  async fall_back({ workers, profile, postgres }, pick) {
    const { rows } = await postgres.client.query<CallRow>(DRIVEN);
    const row = choose(rows, pick);
    const worker = workers.find(({ process }) => process.state === 'running' && process.name === row?.worker);
    const line = choose(linesOf(profile), rest(pick));
    if (!row || !line) return;
    const { id, epoch } = row;
    worker?.fallBack({ id, epoch, reservationId: reservationIdSchema.parse(row.reservation) }, line);
    await settle();
  },
} satisfies Partial<Record<ActionKind, Act>>;

interface CallRow {
  readonly id: CallId;
  readonly reservation: string;
  readonly epoch: number;
  readonly worker: string;
}

/** The calls of which their worker believes that it drives them. */
const DRIVEN = `
  SELECT c.id, c.reservation_id AS reservation, c.epoch, c.worker_id AS worker
  FROM calls c JOIN model_calls m ON m.call_id = c.id
  WHERE c.status IN ('ringing', 'in_progress') ORDER BY c.id`;
