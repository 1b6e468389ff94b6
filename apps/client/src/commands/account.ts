import type { AgentSummary } from '@outdial/sdk';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { facts, table } from '../terminal/table.ts';
import type { CommandContext } from './command-context.ts';

export async function showAccount(context: CommandContext): Promise<ExitCode> {
  const account = await (await context.client()).account.get({ signal: context.io.interrupted });
  const { wallet, capacity } = account;
  const text = facts([
    ['id', account.id],
    ['name', account.name],
    ['balance', `${wallet.balance} ${wallet.currency}`],
    ['held', `${wallet.held} ${wallet.currency}`],
    ['available', `${wallet.available} ${wallet.currency}`],
    ['open calls', `${capacity.in_use} of ${capacity.limit}`],
  ]);
  context.print({ json: { account }, text });
  return EXIT.done;
}

export async function listAgents(context: CommandContext): Promise<ExitCode> {
  const outdial = await context.client();
  const agents: AgentSummary[] = [];
  for await (const agent of outdial.agents.list({ limit: 100 }, { signal: context.io.interrupted })) agents.push(agent);
  const rows = agents.map(({ id, name, driver, version, required_variables: variables }) => [
    name,
    id,
    driver ?? '-',
    String(version),
    variables.join(', '),
  ]);
  context.print({ json: { agents }, text: table(['NAME', 'ID', 'DRIVER', 'VERSION', 'VARIABLES'], rows) });
  return EXIT.done;
}

export async function listNumbers(context: CommandContext): Promise<ExitCode> {
  const numbers = await (await context.client()).phoneNumbers.list({ signal: context.io.interrupted });
  const rows = numbers.map(({ number, is_default: isDefault, outbound_enabled: isEnabled, active }) => [
    number,
    active && isEnabled ? 'yes' : 'no',
    isDefault ? 'default' : '',
  ]);
  context.print({ json: { phone_numbers: numbers }, text: table(['NUMBER', 'CALLS', ''], rows) });
  return EXIT.done;
}
