import {
  accountEnvelopeSchema,
  accountSchema,
  agentEnvelopeSchema,
  agentListSchema,
  agentSchema,
  agentSettingsSchema,
  agentSummarySchema,
  agentVersionDetailSchema,
  agentVersionEnvelopeSchema,
  agentVersionListSchema,
  agentVersionSchema,
  apiKeyEnvelopeSchema,
  apiKeyListSchema,
  apiKeySchema,
  callEnvelopeSchema,
  callEventListSchema,
  callEventSchema,
  callListSchema,
  callSchema,
  checkedCredentialSchema,
  costBreakdownSchema,
  createApiKeySchema,
  createCallSchema,
  createdApiKeySchema,
  createCredentialSchema,
  createTrySchema,
  credentialEnvelopeSchema,
  credentialListSchema,
  credentialSchema,
  errorBodySchema,
  instructCallSchema,
  instructionEnvelopeSchema,
  instructionSchema,
  ledgerEntrySchema,
  ledgerPageSchema,
  modelListSchema,
  phoneNumberListSchema,
  phoneNumberSchema,
  pricedModelSchema,
  cascadeSettingsSchema,
  realtimeSettingsSchema,
  saveAgentSchema,
  scriptedSettingsSchema,
  storedAgentSettingsSchema,
  rotateCredentialSchema,
  secretEnvelopeSchema,
  secretListSchema,
  secretSchema,
  setSecretSchema,
  tryEnvelopeSchema,
  tryMessageSchema,
  trySchema,
  usableProviderSchema,
  turnSchema,
  updateAgentSchema,
  updateCallSchema,
  updateCredentialSchema,
} from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { z } from 'zod';
import { POLICY_REQUESTS, POLICY_RESPONSES } from './policy-schemas.ts';
import { EVALUATION_REQUESTS, EVALUATION_RESPONSES } from './evaluation-schemas.ts';
import { CAMPAIGN_REQUESTS, CAMPAIGN_RESPONSES } from './campaign-schemas.ts';
import { SUPPRESSION_REQUESTS, SUPPRESSION_RESPONSES } from './suppression-schemas.ts';
import { WEBHOOK_REQUESTS, WEBHOOK_RESPONSES } from './webhook-schemas.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const [storedScripted, storedRealtime, storedCascade] = storedAgentSettingsSchema.out.options;

/** Request schemas, by their names in the document. */
const REQUESTS: Readonly<Record<string, z.ZodType>> = {
  CreateCall: createCallSchema,
  UpdateCall: updateCallSchema,
  NewAgentSettings: agentSettingsSchema,
  NewScriptedSettings: scriptedSettingsSchema,
  NewRealtimeSettings: realtimeSettingsSchema,
  NewCascadeSettings: cascadeSettingsSchema,
  CreateAgent: saveAgentSchema,
  UpdateAgent: updateAgentSchema,
  CreateApiKey: createApiKeySchema,
  CreateCredential: createCredentialSchema,
  UpdateCredential: updateCredentialSchema,
  RotateCredential: rotateCredentialSchema,
  SetSecret: setSecretSchema,
  CreateTry: createTrySchema,
  TryMessage: tryMessageSchema,
  InstructCall: instructCallSchema,
  ...EVALUATION_REQUESTS,
  ...POLICY_REQUESTS,
  ...CAMPAIGN_REQUESTS,
  ...SUPPRESSION_REQUESTS,
  ...WEBHOOK_REQUESTS,
};
/** Response schemas. */
const RESPONSES: Readonly<Record<string, z.ZodType>> = {
  Call: callSchema,
  CallEnvelope: callEnvelopeSchema,
  CallList: callListSchema,
  Turn: turnSchema,
  Instruction: instructionSchema,
  InstructionEnvelope: instructionEnvelopeSchema,
  CostBreakdown: costBreakdownSchema,
  CallEvent: callEventSchema,
  CallEventList: callEventListSchema,
  AgentSettings: storedAgentSettingsSchema,
  ScriptedSettings: storedScripted,
  RealtimeSettings: storedRealtime,
  CascadeSettings: storedCascade,
  Agent: agentSchema,
  AgentEnvelope: agentEnvelopeSchema,
  AgentSummary: agentSummarySchema,
  AgentList: agentListSchema,
  AgentVersion: agentVersionSchema,
  AgentVersionList: agentVersionListSchema,
  AgentVersionDetail: agentVersionDetailSchema,
  AgentVersionEnvelope: agentVersionEnvelopeSchema,
  PricedModel: pricedModelSchema,
  UsableProvider: usableProviderSchema,
  ModelList: modelListSchema,
  Try: trySchema,
  TryEnvelope: tryEnvelopeSchema,
  Account: accountSchema,
  AccountEnvelope: accountEnvelopeSchema,
  LedgerEntry: ledgerEntrySchema,
  LedgerPage: ledgerPageSchema,
  PhoneNumber: phoneNumberSchema,
  PhoneNumberList: phoneNumberListSchema,
  ApiKey: apiKeySchema,
  ApiKeyEnvelope: apiKeyEnvelopeSchema,
  ApiKeyList: apiKeyListSchema,
  CreatedApiKey: createdApiKeySchema,
  Credential: credentialSchema,
  CredentialEnvelope: credentialEnvelopeSchema,
  CredentialList: credentialListSchema,
  CheckedCredential: checkedCredentialSchema,
  Secret: secretSchema,
  SecretEnvelope: secretEnvelopeSchema,
  SecretList: secretListSchema,
  ...EVALUATION_RESPONSES,
  ...POLICY_RESPONSES,
  ...CAMPAIGN_RESPONSES,
  ...SUPPRESSION_RESPONSES,
  ...WEBHOOK_RESPONSES,
  Error: errorBodySchema,
};

const NAMES = new Map(Object.entries({ ...REQUESTS, ...RESPONSES }).map(([name, schema]) => [schema, name]));

const refTo = (name: string) => `#/components/schemas/${name}`;

/** `#/components/schemas/…` of a contract's schema. */
export function refOf(schema: z.ZodType): JsonSchema {
  const name = NAMES.get(schema);
  invariant(name !== undefined, 'the reference has a name for every schema of a contract');
  return { $ref: refTo(name) };
}

/** Every body as JSON Schema, by its name. */
export function componentSchemas(): Readonly<Record<string, JsonSchema>> {
  return { ...convertAll(REQUESTS, 'input'), ...convertAll(RESPONSES, 'output') };
}

function convertAll(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, {
    uri: refTo,
    io,
    override: ({ jsonSchema }) => simplify(jsonSchema, io),
  });
  return Object.fromEntries(
    Object.entries(converted.schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema]),
  );
}

/** The schema of a header or a parameter, without its description. */
export interface Described {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

export function describeValue(schema: z.ZodType): Described {
  return describedOf(convert(schema), false);
}

/** The fields of a path's or a query's schema by their names; empty for a route without any. */
export function describeFields(schema: z.ZodType): readonly (readonly [string, Described])[] {
  const { properties = {}, required = [] } = convert(schema);
  return Object.entries(properties).flatMap(([name, field]) =>
    typeof field === 'boolean' ? [] : [[name, describedOf(field, required.includes(name))] as const],
  );
}

function describedOf({ description = '', ...schema }: z.core.JSONSchema.BaseSchema, isRequired: boolean): Described {
  return { description, schema, isRequired };
}

function convert(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, {
    io: 'input',
    // A route without a query or body uses a schema that JSON Schema cannot express.
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema, 'input'),
  });
  return converted;
}

/** Drops what zod adds only for precision, and what would confuse readers. */
function simplify(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  // A format expresses the same as its pattern; text that stands for a number has no format.
  if (schema.format !== undefined || schema.type === 'integer') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // Responses may gain fields, and that must not break a client.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
}
