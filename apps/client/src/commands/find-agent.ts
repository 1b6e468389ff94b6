import type { Outdial } from '@outdial/sdk';
import { CommandError } from '../exit-code.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of an agent that is named by its id or its name. @throws CommandError unless it is one agent */
export async function findAgent(outdial: Outdial, named: string, signal: AbortSignal): Promise<string> {
  if (UUID.test(named)) return named;
  const ids: string[] = [];
  for await (const { id, name } of outdial.agents.list({ limit: 100 }, { signal })) {
    if (name === named) ids.push(id);
  }
  const [id, ...others] = ids;
  if (id === undefined) throw new CommandError(`There is no agent named ${named}. Run: outdial agents list`);
  if (others.length === 0) return id;
  throw new CommandError(`${ids.length} agents are named ${named}. Name one by its id: ${ids.join(', ')}`);
}
