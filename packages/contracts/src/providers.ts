/**
 * Whose models an agent may use. `openai_live`: GPT-Live, which OpenAI bills by time. `azure`: models of OpenAI in a resource of Azure. `openai_compatible`: any server with
 * OpenAI's interface, at an address of one's own. `local`: such servers that also hear and speak, without a price.
 */
export const PROVIDERS = [
  'openai',
  'openai_live',
  'deepgram',
  'elevenlabs',
  'cartesia',
  'anthropic',
  'google',
  'azure',
  'xai',
  'openai_compatible',
  'local',
] as const;
export type Provider = (typeof PROVIDERS)[number];

/** The regions that a provider has an address for. Without a region, its global address is used. */
export const PROVIDER_REGIONS = {
  openai: ['eu', 'us'],
  openai_live: ['eu', 'us'],
  deepgram: ['eu'],
  elevenlabs: ['eu', 'in', 'us'],
  cartesia: [],
  anthropic: [],
  google: [],
  azure: [],
  xai: [],
  openai_compatible: [],
  local: [],
} as const satisfies Readonly<Record<Provider, readonly string[]>>;

/** Providers without an address: a credential must have one. */
export const ADDRESSED_PROVIDERS = ['azure', 'openai_compatible', 'local'] as const satisfies readonly Provider[];

/** Whether a credential of this provider must name an address. */
export function needsAddress(provider: Provider): provider is (typeof ADDRESSED_PROVIDERS)[number] {
  return ADDRESSED_PROVIDERS.some((addressed) => addressed === provider);
}

/** Whether models of this provider are used without a rate: they run on the operator's machines, and no provider bills them. */
export const needsNoRate = (provider: Provider): boolean => provider === 'local';

/**
 * What a check of a credential finds. `ok`: the provider accepts the key. `rejected`: it does not. `unreachable`: it
 * gave no usable answer. `no_such_model`: it accepts the key, and does not know the model.
 */
export const CHECK_RESULTS = ['ok', 'rejected', 'unreachable', 'no_such_model'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];
