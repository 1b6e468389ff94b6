import { TIME_ZONE_PROBLEM, type E164, type InvalidParam } from '@outdial/contracts';
import { zoneNamed } from '@outdial/numbering';
import type { AccountProfile, UsableAgent } from '../ports/directory.ts';
import type { RateDeck } from '../rate-deck.ts';

/** What a contact of a campaign is checked against when it is added. Its turn asks everything again. */
export interface ContactRules {
  readonly agent: Pick<UsableAgent, 'requiredVariables'>;
  readonly account: Pick<AccountProfile, 'blockedPrefixes'>;
  readonly deck: RateDeck;
}

export interface AskedContact {
  readonly number: E164;
  readonly variables: Readonly<Record<string, string>>;
  readonly timeZone: string | null;
}

/** Why the account cannot call a number; null if it can. */
export function destinationProblem({ account, deck }: Omit<ContactRules, 'agent'>, number: E164): string | null {
  const digits = number.slice(1);
  if (account.blockedPrefixes.some((prefix) => digits.startsWith(prefix)) || deck.find(number) === null)
    return 'is a destination without a rate, or one that is blocked';
  return null;
}

/** What is wrong with a contact, by field: `to_number`, `variables.name`, `time_zone`. */
export function contactProblems(
  { agent, account, deck }: ContactRules,
  contact: AskedContact,
): readonly InvalidParam[] {
  const problems: InvalidParam[] = [];
  const destination = destinationProblem({ account, deck }, contact.number);
  if (destination !== null) problems.push({ param: 'to_number', message: destination });
  for (const name of agent.requiredVariables ?? []) {
    const message = variableProblem(contact.variables, name);
    if (message !== null) problems.push({ param: `variables.${name}`, message });
  }
  if (contact.timeZone !== null && zoneNamed(contact.timeZone) === null)
    problems.push({ param: 'time_zone', message: TIME_ZONE_PROBLEM });
  return problems;
}

/** As for a line of a file: what is blank there is empty here. */
function variableProblem(variables: AskedContact['variables'], name: string): string | null {
  const text = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (text === undefined) return 'is required by this agent';
  return text.trim() === '' ? 'is empty, and the agent needs it' : null;
}
