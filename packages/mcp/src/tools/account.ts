import { z } from 'zod';
import { READS, type Tool } from './tool.ts';

const nothing = z.object({});

const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  wallet: z
    .object({ balance: z.number(), held: z.number(), available: z.number(), currency: z.string() })
    .describe('In units of currency. New calls reserve from what is available.'),
  capacity: z.object({ limit: z.number(), in_use: z.number() }).describe('Calls that may be open at once.'),
});

export const getAccount: Tool<typeof nothing, typeof accountSchema> = {
  name: 'get_account',
  title: 'Show the account',
  description: 'Returns the balance of the account, and how many calls may be open at once.',
  hints: READS,
  input: nothing,
  output: accountSchema,
  async run(_, { outdial, signal }) {
    const { id, name, wallet, capacity } = await outdial.account.get({ signal });
    const { balance, held, available, currency } = wallet;
    const { limit, in_use } = capacity;
    return { id, name, wallet: { balance, held, available, currency }, capacity: { limit, in_use } };
  },
};

const agentsSchema = z.object({
  agents: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      required_variables: z.array(z.string()).describe('place_call needs a text for each.'),
      problem: z.string().nullable().describe('Why this agent cannot call. Null: it can.'),
    }),
  ),
});

export const listAgents: Tool<typeof nothing, typeof agentsSchema> = {
  name: 'list_agents',
  title: 'List agents',
  description: 'Lists the agents that can conduct calls, with the variables that each needs.',
  hints: READS,
  input: nothing,
  output: agentsSchema,
  async run(_, { outdial, signal }) {
    const agents: z.output<typeof agentsSchema>['agents'] = [];
    for await (const { id, name, required_variables, problem } of outdial.agents.list({ limit: 100 }, { signal })) {
      agents.push({ id, name, required_variables, problem });
    }
    return { agents };
  },
};

const numbersSchema = z.object({
  phone_numbers: z.array(
    z.object({
      number: z.string(),
      may_call: z.boolean().describe('False: calls cannot come from it.'),
      is_default: z.boolean().describe('Calls without from_number come from it.'),
    }),
  ),
});

export const listPhoneNumbers: Tool<typeof nothing, typeof numbersSchema> = {
  name: 'list_phone_numbers',
  title: 'List phone numbers',
  description: 'Lists the numbers of the account that calls can come from.',
  hints: READS,
  input: nothing,
  output: numbersSchema,
  async run(_, { outdial, signal }) {
    const numbers = await outdial.phoneNumbers.list({ signal });
    const present = numbers.map(({ number, active, outbound_enabled, is_default }) => ({
      number,
      may_call: active && outbound_enabled,
      is_default,
    }));
    return { phone_numbers: present };
  },
};
