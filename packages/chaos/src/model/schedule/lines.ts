import type { ModelOutcome } from '@outdial/calls';
import { reservationIdSchema, type AccountId, type AgentId, type CallId } from '@outdial/contracts';
import { settle } from '../world/clock.ts';
import { kindOf, linesOf, modelOf } from '../processes/model-lines.ts';
import type { ActionKind } from '../profile.ts';
import { choose, rest, type Act } from './action.ts';

const CLOSED_FOR_MS = [1_000, 5_000, 15_000];
const OUTCOMES: readonly ModelOutcome[] = ['fault', 'fault', 'fault', 'success', 'rejected'];
/** Of one act: an outage needs several. */
const MOST_USES = 3;

/** Breakers close lines, and calls fall back to other credentials. */
export const LINE_ACTS = {
  async close_line({ workers, profile }, pick) {
    const running = workers.filter(({ process }) => process.state === 'running');
    const line = choose(linesOf(profile), rest(pick));
    const [breaker] = line?.breakers ?? [];
    if (breaker) choose(running, pick)?.openBreaker(breaker, choose(CLOSED_FOR_MS, rest(pick)) ?? 0);
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
  async model_outcome({ workers, profile, postgres }, pick) {
    const { rows } = await postgres.client.query<CallRow>(DRIVEN);
    const row = choose(rows, pick);
    const worker = workers.find(({ process }) => process.state === 'running' && process.name === row?.worker);
    const outcome = choose(OUTCOMES, rest(pick));
    const [at] = (row && kindOf(profile, row.id)?.lines) ?? [];
    if (!row || at === undefined || outcome === undefined) return;
    const call = { accountId: row.account, agentId: row.agent, agentVersion: 1 };
    for (let count = 0; count <= pick % MOST_USES; count += 1)
      worker?.used({ callId: row.id, call, model: modelOf(profile, at), outcome });
    await settle();
  },
  async check_breakers({ workers }, pick) {
    const running = workers.filter(({ process }) => process.state === 'running');
    choose(running, pick)?.checkBreakers(rest(pick) % 4 === 0 ? 'unreachable' : 'reachable');
    await settle();
  },
} satisfies Partial<Record<ActionKind, Act>>;

interface CallRow {
  readonly id: CallId;
  readonly reservation: string;
  readonly epoch: number;
  readonly worker: string;
  readonly account: AccountId;
  readonly agent: AgentId;
}

/** The calls of which their worker believes that it drives them. */
const DRIVEN = `
  SELECT c.id, c.reservation_id AS reservation, c.epoch, c.worker_id AS worker,
    c.account_id AS account, c.agent_id AS agent
  FROM calls c JOIN model_calls m ON m.call_id = c.id
  WHERE c.status IN ('ringing', 'in_progress') ORDER BY c.id`;
