import type { Directory } from '@outdial/calls';
import { COMPONENTS, PROVIDERS, type PricedModelBody } from '@outdial/contracts';
import type { ReadCandidates } from '@outdial/persistence';
import { resolveCredential } from '@outdial/providers';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { listModelsContract } from './contract.ts';
import { presentModel } from './present-model.ts';

export interface ListModelsDeps {
  readonly modelDirectory: Pick<Directory, 'modelRateDeck'>;
  readonly readCandidates: ReadCandidates;
}

export function listModelsRoute({ modelDirectory, readCandidates }: ListModelsDeps): AccountRoute {
  return defineRoute(listModelsContract, async ({ principal }) => {
    const { id: accountId, currency } = principal.account;
    const [deck, credentials] = await Promise.all([modelDirectory.modelRateDeck(currency), readCandidates(accountId)]);
    const ofOperator = new Set(
      credentials.filter((credential) => credential.accountId === null).map(({ provider }) => provider),
    );
    const providers = PROVIDERS.flatMap((provider) => {
      const chosen = resolveCredential(credentials, { accountId, provider, name: null });
      return chosen === null
        ? []
        : [{ provider, paid_by: chosen.accountId === null ? ('operator' as const) : ('account' as const) }];
    });
    const models = deck.models.flatMap((rates) => presentModel(rates));
    const offered = models.filter(({ provider }) => ofOperator.has(provider)).toSorted(byPlace);
    return { status: 200, body: { currency, models: offered, providers } };
  });
}

function byPlace(a: PricedModelBody, b: PricedModelBody): number {
  return (
    COMPONENTS.indexOf(a.component) - COMPONENTS.indexOf(b.component) ||
    PROVIDERS.indexOf(a.provider) - PROVIDERS.indexOf(b.provider) ||
    (a.model < b.model ? -1 : 1)
  );
}
