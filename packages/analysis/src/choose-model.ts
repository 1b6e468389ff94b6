import type { AnalysisJob, OpenedCredential } from '@outdial/calls';
import { needsNoRate, type AnalysisProblem, type AnalysisSettings } from '@outdial/contracts';
import { coverOf, pricesOf, type TextPrices } from './cost.ts';
import type { AnalysisDeps, ChosenCredential } from './ports.ts';
import type { TextModel } from './text-model.ts';

export type ChosenModel =
  /** `prices` null: with the account's own credential, or on the operator's machines, it costs nothing. */
  | {
      readonly kind: 'ready';
      readonly model: TextModel;
      readonly isOwn: boolean;
      readonly prices: TextPrices | null;
    }
  | { readonly kind: 'failed'; readonly problem: AnalysisProblem }
  | { readonly kind: 'skipped'; readonly problem: AnalysisProblem };

type Deps = Pick<AnalysisDeps, 'chooser' | 'opener' | 'prices' | 'openModel'>;

/** The model that analyzes a call, if it may be asked and paid for. */
export async function chooseModel(deps: Deps, job: AnalysisJob, settings: AnalysisSettings): Promise<ChosenModel> {
  const chosen = await credentialOf(deps, job, settings);
  if (chosen === null) return { kind: 'failed', problem: 'no_credential' };
  const prices = chosen.isOwn ? null : pricesOf(await ratesOf(deps, job, settings));
  if (prices === null) {
    if (!chosen.isOwn && !needsNoRate(settings.llm.provider)) return { kind: 'skipped', problem: 'model_not_priced' };
  } else {
    if (job.availableMicros < coverOf(prices)) return { kind: 'skipped', problem: 'insufficient_funds' };
  }
  const model = deps.openModel(settings.llm, chosen.credential, chosen.isOwn);
  if (model === null) return { kind: 'failed', problem: 'settings_unusable' };
  return { kind: 'ready', model, isOwn: chosen.isOwn, prices };
}

/** What the call itself used of this provider, unless the settings name another credential. */
async function credentialOf(
  { chooser, opener }: Deps,
  { accountId, models }: AnalysisJob,
  { llm }: AnalysisSettings,
): Promise<(ChosenCredential & { readonly credential: OpenedCredential }) | null> {
  const name = llm.credential ?? null;
  const pinned = models.find(({ component, provider }) => component === 'llm' && provider === llm.provider);
  const chosen =
    name === null && pinned !== undefined ? pinned : await chooser.choose({ accountId, provider: llm.provider, name });
  if (chosen === null) return null;
  const [credential] = await opener.open(accountId, [chosen.credentialId]);
  if (credential === undefined || credential.provider !== llm.provider) return null;
  return { credentialId: chosen.credentialId, isOwn: chosen.isOwn, credential };
}

async function ratesOf({ prices }: Deps, { rates, currency }: AnalysisJob, { llm }: AnalysisSettings) {
  const pinned = rates.filter(
    ({ component, provider, model }) => component === 'llm' && provider === llm.provider && model === llm.model,
  );
  return pinned.length > 0 ? pinned : prices.ratesOf({ currency, provider: llm.provider, model: llm.model });
}
