import { PROVIDER_REGIONS, PROVIDERS, type createCredentialSchema, type Provider } from '@outdial/contracts';
import type { z } from 'zod';

/** As the form holds it. A chosen region stays while another provider is tried. */
export const EMPTY_CREDENTIAL = { provider: 'openai', name: '', api_key: '', base_url: '', region: '' };
export type CredentialDraft = typeof EMPTY_CREDENTIAL;

export function providerIn({ provider }: CredentialDraft): Provider {
  return PROVIDERS.find((known) => known === provider) ?? 'openai';
}

/** What is sent: without empty fields, and without a region that the provider does not have. */
export function credentialInputOf(draft: CredentialDraft): z.input<typeof createCredentialSchema> {
  const provider = providerIn(draft);
  const regions: readonly string[] = PROVIDER_REGIONS[provider];
  return {
    provider,
    name: draft.name,
    api_key: draft.api_key,
    ...(draft.base_url.trim() === '' ? {} : { base_url: draft.base_url }),
    ...(regions.includes(draft.region) ? { region: draft.region } : {}),
  };
}
