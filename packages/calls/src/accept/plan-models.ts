import { micros, needsNoRate, type Micros, type ModelNeed, type Provider } from '@outdial/contracts';
import type { ConductedCall, PinnedModel, PinnedRate } from '../conducted-call.ts';
import type { ModelRate, ModelRateDeck } from '../model-rate-deck.ts';
import type { CredentialDirectory } from '../ports/credential-directory.ts';
import type { AccountProfile, ConductedAgent, Directory } from '../ports/directory.ts';

export type ModelRefusal =
  /** No credential for this provider. `path` names the model in the agent's settings. */
  | { readonly kind: 'provider_not_configured'; readonly provider: Provider; readonly path: string }
  /** The model has no rate in the account's currency, needs one, and the credential is the operator's. */
  | {
      readonly kind: 'model_not_priced';
      readonly provider: Provider;
      readonly model: string;
      readonly currency: string;
    };

export interface ModelDirectories {
  readonly directory: Pick<Directory, 'modelRateDeck'>;
  readonly credentials: CredentialDirectory;
}

/** Pins credentials and prices of every model that the call may use, fallbacks included. */
export async function planModels(
  { directory, credentials }: ModelDirectories,
  { id: accountId, currency }: Pick<AccountProfile, 'id' | 'currency'>,
  { driver, needs }: ConductedAgent,
): Promise<{ readonly kind: 'planned'; readonly conducted: ConductedCall } | ModelRefusal> {
  const [deck, found] = await Promise.all([
    directory.modelRateDeck(currency),
    Promise.all(needs.map(({ provider, credential: name }) => credentials.find({ accountId, provider, name }))),
  ]);
  const models: PinnedModel[] = [];
  const paid: ModelNeed[] = [];
  for (const [index, need] of needs.entries()) {
    const { component, provider, model, isFallback, path } = need;
    const credential = found[index];
    if (!credential) return { kind: 'provider_not_configured', provider, path };
    const isOwn = credential.accountId !== null;
    const isUnpriced = deck.find(need).length === 0 && !needsNoRate(provider);
    if (!isOwn && isUnpriced) return { kind: 'model_not_priced', provider, model, currency };
    models.push({ component, provider, model, credentialId: credential.id, isOwn, isFallback });
    if (!isOwn) paid.push(need);
  }
  const estimateMicrosPerMinute = estimateOf(deck, paid);
  return { kind: 'planned', conducted: { driver, models, rates: ratesOf(deck, paid), estimateMicrosPerMinute } };
}

/** Each model once, under its own name and not under the pattern that matched it. */
function ratesOf(deck: ModelRateDeck, paid: readonly ModelNeed[]): readonly PinnedRate[] {
  const byModel = new Map(paid.map((need) => [`${need.component} ${need.provider} ${need.model}`, need]));
  return [...byModel.values()].flatMap((need) => {
    const { component, provider, model } = need;
    return deck.find(need).map(({ unit, priceMicrosPerMillion }) => ({
      component,
      provider,
      model,
      unit,
      priceMicrosPerMillion,
    }));
  });
}

/** A component has one model at a time: the dearest of those that may be used. */
function estimateOf(deck: ModelRateDeck, paid: readonly ModelNeed[]): Micros {
  const dearest = new Map<string, bigint>();
  for (const need of paid) {
    const estimate = sumOfEstimates(deck.find(need));
    if (estimate > (dearest.get(need.component) ?? 0n)) dearest.set(need.component, estimate);
  }
  return micros([...dearest.values()].reduce((sum, estimate) => sum + estimate, 0n));
}

function sumOfEstimates(rates: readonly ModelRate[]): bigint {
  return rates.reduce((sum, { estimateMicrosPerMinute }) => sum + estimateMicrosPerMinute, 0n);
}
