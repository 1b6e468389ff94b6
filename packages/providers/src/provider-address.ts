import { needsAddress, type ADDRESSED_PROVIDERS, type Provider } from '@outdial/contracts';
import type { ProviderCredential } from './credential.ts';

type OwnAddress = Exclude<Provider, (typeof ADDRESSED_PROVIDERS)[number]>;

const OPENAI = {
  '': 'https://api.openai.com/v1',
  eu: 'https://eu.api.openai.com/v1',
  us: 'https://us.api.openai.com/v1',
};

/** Without a slash at the end. The keys of the regions are those of `PROVIDER_REGIONS`. */
const ADDRESSES: Readonly<Record<OwnAddress, Readonly<Record<string, string>>>> = {
  openai: OPENAI,
  openai_live: OPENAI,
  deepgram: { '': 'https://api.deepgram.com', eu: 'https://api.eu.deepgram.com' },
  elevenlabs: {
    '': 'https://api.elevenlabs.io',
    eu: 'https://api.eu.residency.elevenlabs.io',
    in: 'https://api.in.residency.elevenlabs.io',
    us: 'https://api.us.elevenlabs.io',
  },
  cartesia: { '': 'https://api.cartesia.ai' },
  anthropic: { '': 'https://api.anthropic.com/v1' },
  google: { '': 'https://generativelanguage.googleapis.com/v1beta' },
  xai: { '': 'https://api.x.ai/v1' },
};

/** Below the address of a resource. */
const AZURE_PATH = '/openai/v1';

/**
 * Where the provider's interface is: the address of the credential, that of its region, or the provider's. Without a
 * slash at the end. Null: a region that this version does not know, or no address where one is required.
 */
export function providerAddress({
  provider,
  baseUrl,
  region,
}: Pick<ProviderCredential, 'provider' | 'baseUrl' | 'region'>): string | null {
  if (baseUrl !== null) return `${baseUrl.replace(/\/+$/, '')}${provider === 'azure' ? AZURE_PATH : ''}`;
  if (needsAddress(provider)) return null;
  return ADDRESSES[provider][region ?? ''] ?? null;
}
