import { z } from 'zod';
import type { SentStatement } from '../stores/database-link.ts';
import type { SimulatedPostgres } from '../stores/simulated-postgres.ts';
import type { WorldClock } from '../world/clock.ts';
import type { Promises } from './promises.ts';

/** A call that was taken and not admitted is taken again no earlier than this long after its time to be admitted. */
const GRACE_MS = 2_000;

const admittedSchema = z.array(z.object({ id: z.string(), admit_token: z.string(), reservation_id: z.string() }));
const takingSchema = z.tuple([z.string(), z.number()]).rest(z.unknown());
const stockedSchema = z.array(z.object({ stocked: z.number() }));
const takenSchema = z.array(z.object({ callId: z.string() }));

interface LaneRow {
  readonly id: string;
  readonly status: string;
  readonly reservation: string | null;
  readonly token: string | null;
  readonly untilMs: number | null;
  readonly dueMs: number;
  readonly giveUpMs: number;
}

interface WatchInput {
  readonly clock: WorldClock;
  readonly postgres: SimulatedPostgres;
  readonly promises: Promises;
}

/** What turns do, compared with what the tables say right before it: who may take a call, and who may admit it. */
export class AdmissionWatch {
  readonly #input: WatchInput;

  constructor(input: WatchInput) {
    this.#input = input;
  }

  async around({ text, values }: SentStatement, run: () => Promise<unknown>): Promise<unknown> {
    if (text.includes('FROM admit_calls(')) return this.#admit(values, run);
    if (text.includes('FROM take_lane_calls(')) return this.#take(values, run);
    if (text.includes(' stock_campaign(')) return this.#stock(values, run);
    return run();
  }

  async #stock(values: readonly unknown[], run: () => Promise<unknown>): Promise<unknown> {
    const [account, epoch] = takingSchema.parse(values);
    const hasTurn = await this.#hasTurn(account, epoch);
    const answer = await run();
    const stocked = stockedSchema.parse(answer)[0]?.stocked ?? 0;
    if (!hasTurn && stocked > 0) this.#input.promises.violate('only the turn that lasts stocks', `${stocked} calls`);
    return answer;
  }

  async #admit([batch]: readonly unknown[], run: () => Promise<unknown>): Promise<unknown> {
    const rows = admittedSchema.parse(JSON.parse(z.string().parse(batch)));
    const ids = rows.map(({ id }) => id);
    const before = new Map((await this.#lane(ids)).map((row) => [row.id, row]));
    const answer = await run();
    const after = new Map((await this.#lane(ids)).map((row) => [row.id, row]));
    const { clock, promises } = this.#input;
    for (const { id, admit_token: token, reservation_id: reservation } of rows) {
      const was = before.get(id);
      const isAdmitted = was?.reservation !== reservation && after.get(id)?.reservation === reservation;
      if (!was || !isAdmitted) continue;
      if (was.status !== 'scheduled') promises.violate('only a scheduled call is admitted', `${id} was ${was.status}`);
      if (was.token !== token) promises.violate('a call is admitted by the turn that took it last', id);
      if ((was.untilMs ?? 0) <= clock.nowMs) promises.violate('a call is admitted in its time', id);
      if (was.giveUpMs <= clock.nowMs) promises.violate('no call is admitted once it is given up', id);
    }
    return answer;
  }

  async #take(values: readonly unknown[], run: () => Promise<unknown>): Promise<unknown> {
    const [account, epoch] = takingSchema.parse(values);
    const before = new Map((await this.#lane(await this.#waiting(account))).map((row) => [row.id, row]));
    const hasTurn = await this.#hasTurn(account, epoch);
    const answer = await run();
    const { clock, promises } = this.#input;
    for (const { callId } of takenSchema.parse(answer)) {
      const was = before.get(callId);
      if (!hasTurn) promises.violate('only the turn that lasts takes calls', callId);
      if (was?.status !== 'scheduled') promises.violate('only a scheduled call is taken', callId);
      else if (was.dueMs > clock.nowMs || was.giveUpMs <= clock.nowMs)
        promises.violate('a call is taken in its time', callId);
      else if (was.untilMs !== null && was.untilMs + GRACE_MS > clock.nowMs)
        promises.violate('no turn takes a call that another one admits', callId);
    }
    return answer;
  }

  async #hasTurn(account: string, epoch: number): Promise<boolean> {
    const { rows } = await this.#input.postgres.client.query(
      'SELECT FROM dial_turns WHERE account_id = $1 AND epoch = $2 AND held_until > clock_timestamp()',
      [account, epoch],
    );
    return rows.length === 1;
  }

  async #waiting(account: string): Promise<readonly string[]> {
    const { rows } = await this.#input.postgres.client.query<{ id: string }>(
      'SELECT call_id AS id FROM call_schedules WHERE account_id = $1 AND is_waiting',
      [account],
    );
    return rows.map(({ id }) => id);
  }

  async #lane(ids: readonly string[]): Promise<readonly LaneRow[]> {
    const { rows } = await this.#input.postgres.client.query<LaneRow>(
      `SELECT c.id, c.status, c.reservation_id AS reservation, s.admit_token AS token, epoch_ms(s.due_at) AS "dueMs",
         epoch_ms(s.admitting_until) AS "untilMs", epoch_ms(s.give_up_at) AS "giveUpMs"
       FROM calls c JOIN call_schedules s ON s.call_id = c.id WHERE c.id = ANY($1::uuid[])`,
      [ids],
    );
    return rows;
  }
}
