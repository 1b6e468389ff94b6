import {
  PROVIDER_REGIONS,
  PROVIDERS,
  type createCredentialSchema,
  type CredentialBody,
  type Provider,
} from '@outdial/contracts';
import type { z } from 'zod';

/** An input of a number holds a text while it is empty or incomplete. */
export interface LimitsDraft {
  readonly max_concurrent_calls: number | string;
  readonly starts_per_second: number | string;
  readonly max_generations: number | string;
}

const NO_LIMITS: LimitsDraft = { max_concurrent_calls: '', starts_per_second: '', max_generations: '' };

export function limitsDraftOf(credential: CredentialBody): LimitsDraft {
  return {
    max_concurrent_calls: credential.max_concurrent_calls ?? '',
    starts_per_second: credential.starts_per_second ?? '',
    max_generations: credential.max_generations ?? '',
  };
}

const limitIn = (value: number | string) => (value === '' ? null : Number(value));

/** An empty field restores the default. */
export function limitsInputOf(draft: LimitsDraft) {
  return {
    max_concurrent_calls: limitIn(draft.max_concurrent_calls),
    starts_per_second: limitIn(draft.starts_per_second),
    max_generations: limitIn(draft.max_generations),
  };
}

/** As the form holds it. A chosen region stays while another provider is tried. */
export const EMPTY_CREDENTIAL = { provider: 'openai', name: '', api_key: '', base_url: '', region: '', ...NO_LIMITS };
export type CredentialDraft = typeof EMPTY_CREDENTIAL;

export function providerIn({ provider }: CredentialDraft): Provider {
  return PROVIDERS.find((known) => known === provider) ?? 'openai';
}

/** What is sent: without empty fields, and without a region that the provider does not have. */
export function credentialInputOf(draft: CredentialDraft): z.input<typeof createCredentialSchema> {
  const provider = providerIn(draft);
  const regions: readonly string[] = PROVIDER_REGIONS[provider];
  const limits = Object.entries(limitsInputOf(draft)).filter(([, limit]) => limit !== null);
  return {
    provider,
    name: draft.name,
    api_key: draft.api_key,
    ...(draft.base_url.trim() === '' ? {} : { base_url: draft.base_url }),
    ...(regions.includes(draft.region) ? { region: draft.region } : {}),
    ...Object.fromEntries(limits),
  };
}
