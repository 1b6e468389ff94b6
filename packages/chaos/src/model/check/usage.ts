import type { AccountId, CallId } from '@outdial/contracts';
import { ownsCredential } from '../processes/model-agents.ts';
import type { World } from '../world/world.ts';

interface UsageView {
  readonly id: CallId;
  readonly accountId: AccountId;
  readonly tokens: number;
  readonly spent: number;
  readonly cost: number;
  readonly billableSeconds: number;
}

/** Read without the product's own code. */
const STATEMENT = `
  SELECT c.id, c.account_id AS "accountId", (c.cost_micros - (SELECT COALESCE(sum(t.cost_micros), 0) FROM transfer_legs t WHERE t.call_id = c.id))::float8 AS cost, c.billable_seconds AS "billableSeconds",
    m.usage_cost_micros::float8 AS spent,
    (SELECT COALESCE(sum((e->>'quantity')::float8), 0) FROM jsonb_array_elements(m.usage) e) AS tokens
  FROM calls c JOIN model_calls m ON m.call_id = c.id ORDER BY c.id`;

/** The fee and a micro per second, as in the deck of the fixtures. */
const FEE_MICROS = 5;

/** A call is charged for reported usage alone, on the operator's credential alone, and what is stored only grows. */
export class UsageCheck {
  readonly #world: Pick<World, 'postgres' | 'profile' | 'promises' | 'usage'>;
  readonly #before = new Map<CallId, number>();

  constructor(world: Pick<World, 'postgres' | 'profile' | 'promises' | 'usage'>) {
    this.#world = world;
  }

  async look(): Promise<void> {
    const { postgres, profile, promises, usage } = this.#world;
    if (!profile.hasModels) return;
    const { rows } = await postgres.client.query<UsageView>(STATEMENT);
    for (const { id, accountId, tokens, spent, cost, billableSeconds } of rows) {
      const priced = ownsCredential(accountId) ? 0 : tokens;
      const reported = usage.reportedOf(id);
      if (tokens > reported) promises.violate('usage was reported', `${id}: ${tokens} of ${reported}`);
      if (spent !== priced) promises.violate('usage at its price', `${id}: ${spent} for ${priced}`);
      if (tokens < (this.#before.get(id) ?? 0)) promises.violate('usage only grows', id);
      this.#before.set(id, tokens);
      const talk = billableSeconds === 0 ? 0 : FEE_MICROS + billableSeconds;
      const most = billableSeconds === 0 ? 0 : talk + priced;
      if (cost > most) promises.violate('charged for what was used', `${id}: ${cost} of ${most}`);
    }
  }
}
