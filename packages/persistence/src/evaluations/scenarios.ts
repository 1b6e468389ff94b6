import { storedScenariosSchema, type Scenario } from '@outdial/contracts';
import type { Database } from '../database.ts';
import type { EvaluationStore } from './evaluation-store.ts';

type Side = Pick<Database, 'side'>;

export async function readScenarios(
  { side }: Side,
  { accountId, agentId }: Parameters<EvaluationStore['scenariosOf']>[0],
): Promise<readonly Scenario[]> {
  const [row] = await side.$queryRaw<{ scenarios: unknown }[]>`
    SELECT scenarios FROM agent_scenarios WHERE agent_id = ${agentId}::uuid AND account_id = ${accountId}::uuid`;
  return row ? storedScenariosSchema.parse(row.scenarios) : [];
}

/** Of an agent that the account owns; of another one, nothing is saved. */
export async function saveScenarios(
  { side }: Side,
  { accountId, agentId, scenarios }: Parameters<EvaluationStore['saveScenarios']>[0],
): Promise<void> {
  await side.$executeRaw`
    INSERT INTO agent_scenarios (agent_id, account_id, scenarios, updated_at)
    SELECT g.id, g.account_id, ${JSON.stringify(scenarios)}::jsonb, clock_timestamp() FROM agents g
    WHERE g.id = ${agentId}::uuid AND g.account_id = ${accountId}::uuid
    ON CONFLICT (agent_id) DO UPDATE SET scenarios = EXCLUDED.scenarios, updated_at = EXCLUDED.updated_at`;
}
