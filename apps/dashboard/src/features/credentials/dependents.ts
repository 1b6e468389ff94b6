import { modelNeeds, secretNamesOf, type AgentSettings, type CredentialBody } from '@outdial/contracts';

/** How an agent depends on a credential. `named`: its settings name it. `unnamed`: it takes the account's only one. */
export type CredentialUse = 'named' | 'unnamed';

/** Null: the agent has no use for the credential. `others` are the account's credentials besides it. */
export function useOfCredential(
  settings: AgentSettings,
  credential: Pick<CredentialBody, 'provider' | 'name'>,
  others: readonly Pick<CredentialBody, 'provider'>[],
): CredentialUse | null {
  const chosen = choicesOf(settings).filter(({ provider }) => provider === credential.provider);
  if (chosen.some((choice) => choice.credential === credential.name)) return 'named';
  const isOnlyOne = others.every(({ provider }) => provider !== credential.provider);
  return isOnlyOne && chosen.some((choice) => choice.credential === null) ? 'unnamed' : null;
}

function choicesOf(settings: AgentSettings) {
  if (settings.driver === 'scripted') return [];
  const { analysis } = settings;
  const ofAnalysis =
    analysis === undefined ? [] : [{ provider: analysis.llm.provider, credential: analysis.llm.credential ?? null }];
  return [...modelNeeds(settings), ...ofAnalysis];
}

/** Whether a tool of the agent sends the secret. */
export function sendsSecret(settings: AgentSettings, name: string): boolean {
  return settings.driver !== 'scripted' && secretNamesOf(settings).includes(name);
}
