import type { Outdial } from '@outdial/sdk';
import { Refused } from '../refusal.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws Refused unless it names one agent */
export async function findAgent(outdial: Outdial, named: string, signal: AbortSignal): Promise<string> {
  if (UUID.test(named)) return named;
  const ids: string[] = [];
  for await (const { id, name } of outdial.agents.list({ limit: 100 }, { signal })) if (name === named) ids.push(id);
  const [id, ...others] = ids;
  if (id === undefined) {
    const next = 'Call list_agents and choose one of them.';
    throw new Refused('agent_not_found', `No agent has the name ${JSON.stringify(named)}.`, next);
  }
  if (others.length === 0) return id;
  const message = `${ids.length} agents have the name ${JSON.stringify(named)}.`;
  throw new Refused('agent_ambiguous', message, `Name one by its id: ${ids.join(', ')}.`);
}
