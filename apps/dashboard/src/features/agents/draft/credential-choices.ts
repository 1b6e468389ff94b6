import { PROVIDERS, type CredentialBody } from '@outdial/contracts';
import { PROVIDER_WORDS } from '../../../shared/words/providers.ts';
import type { ModelDraft } from './model-draft.ts';

export interface CredentialChoice {
  /** The credential's name. Empty: the service chooses. */
  readonly value: string;
  readonly label: string;
}

/**
 * The credentials that a model may use, and what is used without a choice. The draft's own one is always among them.
 * `credentials` is undefined until the account's credentials are read.
 */
export function credentialChoices(
  { provider, credential }: Pick<ModelDraft, 'provider' | 'credential'>,
  credentials: readonly Pick<CredentialBody, 'provider' | 'name'>[] | undefined,
): readonly CredentialChoice[] {
  const names = (credentials ?? []).filter((one) => one.provider === provider).map(({ name }) => name);
  const known = names.map((name) => ({ value: name, label: name }));
  const isUnknown = credential !== '' && !names.includes(credential);
  return [
    { value: '', label: credentials === undefined ? 'Automatic' : automaticWords(names) },
    ...known,
    ...(isUnknown
      ? [{ value: credential, label: credentials === undefined ? credential : notYours(credential, provider) }]
      : []),
  ];
}

function automaticWords(names: readonly string[]): string {
  const [only, another] = names;
  return only !== undefined && another === undefined ? `Automatic: ${only}` : 'Automatic: the operator’s';
}

/** It may be the operator's, which no list shows. */
function notYours(name: string, provider: string): string {
  const known = PROVIDERS.find((one) => one === provider);
  return `${name} (not yours for ${known === undefined ? 'this provider' : PROVIDER_WORDS[known]})`;
}
