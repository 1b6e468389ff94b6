import { z } from 'zod';
import { credentialIdSchema } from './ids.ts';
import { nameText } from './name.ts';
import { pageCursor, pageLimit } from './page-query.ts';
import { CHECK_RESULTS, needsAddress, PROVIDER_REGIONS, PROVIDERS, type Provider } from './providers.ts';

const timestamp = z.iso.datetime({ precision: 3 });
const MAX_KEY_LENGTH = 4_096;
const MAX_URL_LENGTH = 2_048;

/** A provider's key. It is sent in a header: RFC 9110 section 5.5 allows visible ASCII there. */
export const providerKeyText = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_KEY_LENGTH, `must be at most ${MAX_KEY_LENGTH} characters`)
  .regex(/^[\x21-\x7e]*$/, 'must contain only visible ASCII characters without spaces');

/** Without a query: paths are added to it. */
export const providerBaseUrlText = z
  .string()
  .trim()
  .max(MAX_URL_LENGTH, `must be at most ${MAX_URL_LENGTH} characters`)
  .refine((text) => URL.canParse(text), 'must be a URL such as https://models.example.com/v1')
  .refine((text) => !/[?#]/.test(text), 'must not contain a query (?…) or a fragment (#…)');

/** The fields of a new credential, for the HTTP interface and the command line. */
export const credentialFields = {
  provider: z.enum(PROVIDERS, `must be one of ${PROVIDERS.join(', ')}`).describe('Whose key it is.'),
  name: nameText(100).describe('Its name, unique in the account. The settings of an agent name it.'),
  base_url: providerBaseUrlText
    .optional()
    .describe(
      'Address of the interface, if not the provider’s own. Required for `openai_compatible`, `local` and `azure`.',
    ),
  region: z
    .string()
    .max(32, 'must be at most 32 characters')
    .optional()
    .describe('The provider’s region, such as `eu`.'),
};

export interface AddressProblem {
  readonly field: 'base_url' | 'region';
  readonly message: string;
}

/** A resource of Azure, in its public cloud or in that of a country. Paths are added to it. */
const AZURE_RESOURCE =
  /^https:\/\/[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?\.(?:openai\.azure\.(?:com|us|cn)|cognitiveservices\.azure\.com|services\.ai\.azure\.com)\/?$/i;

/** What is wrong with the address and the region for this provider. An operator may have any address for Azure. */
export function addressProblems(given: {
  readonly provider: Provider;
  readonly baseUrl: string | undefined;
  readonly region: string | undefined;
  readonly ofOperator: boolean;
}): readonly AddressProblem[] {
  const { provider, baseUrl, region, ofOperator } = given;
  const problems: AddressProblem[] = [];
  if (needsAddress(provider) && baseUrl === undefined) {
    problems.push({ field: 'base_url', message: `is required for ${provider}` });
  }
  if (provider === 'azure' && baseUrl !== undefined && !ofOperator && !AZURE_RESOURCE.test(baseUrl)) {
    const message = 'must be the address of a resource, such as https://my-resource.openai.azure.com';
    problems.push({ field: 'base_url', message });
  }
  if (region === undefined) return problems;
  const regions: readonly string[] = PROVIDER_REGIONS[provider];
  const refuse = (message: string) => problems.push({ field: 'region', message });
  if (baseUrl !== undefined) refuse('must be left out if base_url is given');
  else if (regions.length === 0) refuse(`must be left out: ${provider} has one address`);
  else if (!regions.includes(region)) refuse(`must be one of ${regions.join(', ')}`);
  return problems;
}

const MAX_CALLS = 1_000_000;
const MAX_STARTS_PER_SECOND = 100_000;
const MAX_GENERATIONS = 10_000;

/** How much of a provider the calls of a credential use. Null: the default of the provider. */
export const credentialLimitFields = {
  max_concurrent_calls: z
    .int(`must be a whole number from 1 to ${MAX_CALLS}`)
    .min(1)
    .max(MAX_CALLS)
    .nullable()
    .describe('The most calls at once. Null: 50 for hearing by Deepgram, 100 for xAI, 10 for `local`, else 1,000.'),
  starts_per_second: z
    .int(`must be a whole number from 1 to ${MAX_STARTS_PER_SECOND}`)
    .min(1)
    .max(MAX_STARTS_PER_SECOND)
    .nullable()
    .describe('The most calls that start in a second. Null: 1,000.'),
  max_generations: z
    .int(`must be a whole number from 1 to ${MAX_GENERATIONS}`)
    .min(1)
    .max(MAX_GENERATIONS)
    .nullable()
    .describe('The most texts that its voices speak at once, in each worker. Null: no limit. Other models have none.'),
};
const givenLimits = z.object(credentialLimitFields).partial().shape;

/** `POST /provider-credentials`. */
export const createCredentialSchema = z
  .strictObject({
    ...credentialFields,
    api_key: providerKeyText.describe('The provider’s key. No response contains it.'),
    ...givenLimits,
  })
  .superRefine(({ provider, base_url: baseUrl, region }, context) => {
    for (const { field, message } of addressProblems({ provider, baseUrl, region, ofOperator: false })) {
      context.addIssue({ code: 'custom', path: [field], message });
    }
  });

/** `PATCH /provider-credentials/{credential_id}`. Omitted fields stay. */
export const updateCredentialSchema = z
  .strictObject(givenLimits)
  .refine((changes) => Object.keys(changes).length > 0, 'must have at least one field');

/** `POST /provider-credentials/{credential_id}/rotate`. */
export const rotateCredentialSchema = z.strictObject({
  api_key: providerKeyText.describe('The new key. New calls use it; open calls go on with the old one.'),
});

/** The query of `POST /provider-credentials/{credential_id}/check`. */
export const checkCredentialQuerySchema = z.strictObject({
  model: z
    .string()
    .trim()
    .regex(/^[\w.:@/-]{1,200}$/, 'must be the name of a model')
    // A URL would resolve such a part.
    .refine((model) => !model.split('/').some((part) => /^\.*$/.test(part)), 'must be the name of a model')
    .optional()
    .describe(
      'Also ask whether the provider has this model, and open a session with it if it is one of speech to speech. Other providers without a list of models ignore it.',
    ),
});

export const credentialSchema = z.strictObject({
  id: z.guid().describe('Identifies the credential.'),
  provider: z.enum(PROVIDERS).describe('Whose key it is.'),
  name: z.string().describe('Its name, unique in the account.'),
  base_url: z.string().nullable().describe('Its own address. Null: the provider’s.'),
  region: z.string().nullable().describe('The provider’s region. Null: the global address.'),
  shown_suffix: z.string().describe('The last four characters of the key. Empty for a short key.'),
  ...credentialLimitFields,
  created_at: timestamp.describe('When it was created.'),
  rotated_at: timestamp.describe('When its key was set.'),
  checked_at: timestamp.nullable().describe('When this key was last checked.'),
  check_result: z
    .enum(CHECK_RESULTS)
    .nullable()
    .describe('What that check found. `rejected`: calls wait until the key is rotated, or a check finds it accepted.'),
});
export type CredentialBody = z.output<typeof credentialSchema>;

export const credentialEnvelopeSchema = z.strictObject({ credential: credentialSchema });

export const checkedCredentialSchema = z.strictObject({
  credential: credentialSchema,
  check: z
    .strictObject({
      result: z.enum(CHECK_RESULTS).describe('What the check found.'),
      message: z.string().describe('For people. Never a text of the provider.'),
    })
    .describe('This check.'),
});

export const listCredentialsQuerySchema = z.strictObject({
  limit: pageLimit('Credentials'),
  cursor: pageCursor,
});

export const credentialListSchema = z.strictObject({
  credentials: z.array(credentialSchema).describe('Oldest first.'),
  has_more: z.boolean().describe('Whether there is another page.'),
  next_cursor: z.string().nullable().describe('Pass it as `cursor` to get the next page. Null: this is the last page.'),
});

export const credentialParamsSchema = z.object({ credential_id: credentialIdSchema.describe('The credential.') });
