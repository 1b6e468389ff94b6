import type { components, operations } from './generated/api.ts';
import type { Open } from './open.ts';

type Schemas = components['schemas'];
type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** A call, as the API shows it. */
export type CallData = Open<Schemas['Call']>;
export type CallEvent = Open<Schemas['CallEvent']>;
export type CallStatus = CallData['status'];
export type Turn = Open<Schemas['Turn']>;
export type NewCall = Schemas['CreateCall'];
export type CallChange = Schemas['UpdateCall'];
/** `cursor` and `limit` are optional: iteration goes through all pages. */
export type CallFilter = QueryOf<'listCalls'>;

export type Agent = Open<Schemas['Agent']>;
export type AgentSummary = Open<Schemas['AgentSummary']>;
export type AgentVersion = Open<Schemas['AgentVersion']>;
export type AgentVersionDetail = Open<Schemas['AgentVersionDetail']>;
export type NewAgentSettings = Schemas['NewAgentSettings'];

export type ModelList = Open<Schemas['ModelList']>;
export type PricedModel = Open<Schemas['PricedModel']>;

export type Try = Open<Schemas['Try']>;
export type NewTry = Schemas['CreateTry'];
export type Evaluation = Open<Schemas['Evaluation']>;
export type EvaluationSummary = Open<Schemas['EvaluationSummary']>;
export type NewEvaluation = Schemas['CreateEvaluation'];
export type Scenario = Open<Schemas['Scenario']>;

export type Account = Open<Schemas['Account']>;
export type LedgerEntry = Open<Schemas['LedgerEntry']>;
export type PhoneNumber = Open<Schemas['PhoneNumber']>;
export type ApiKey = Open<Schemas['ApiKey']>;
export type NewApiKey = Schemas['CreateApiKey'];
export type CreatedApiKey = Open<Schemas['CreatedApiKey']>;

export type Credential = Open<Schemas['Credential']>;
export type NewCredential = Schemas['CreateCredential'];
export type CheckedCredential = Open<Schemas['CheckedCredential']>;
export type CredentialLimits = Schemas['UpdateCredential'];
export type Secret = Open<Schemas['Secret']>;

export type CallingPolicy = Open<Schemas['CallingPolicy']>;
export type CallingPolicyEnvelope = Open<Schemas['CallingPolicyEnvelope']>;
export type NewCallingPolicy = Schemas['UpdateCallingPolicy'];
export type CallingPolicyQuestion = Schemas['CheckCallingPolicy'];
export type CallingPolicyCheck = Open<Schemas['CallingPolicyCheck']>;

export type Suppression = Open<Schemas['Suppression']>;
export type NewSuppressions = Schemas['CreateSuppressions'];
export type CreatedSuppressions = Open<Schemas['CreatedSuppressions']>;
export type SuppressionCheck = Open<Schemas['SuppressionCheck']>;
export type SuppressionImport = Open<Schemas['SuppressionImport']>;
/** `cursor` and `limit` are optional: iteration goes through all pages. */
export type SuppressionFilter = QueryOf<'listSuppressions'>;
export type SuppressionFile = QueryOf<'importSuppressions'>;
export type Instruction = Schemas['Instruction'];
export type OptOut = Schemas['OptOutCall'];

export type Campaign = Open<Schemas['Campaign']>;
export type CampaignProgress = Open<Schemas['CampaignProgress']>;
export type NewCampaign = Schemas['CreateCampaign'];
export type CampaignChange = Schemas['UpdateCampaign'];
export type CampaignCancellation = Schemas['CancelCampaign'];
export type NewContact = Schemas['AddContacts']['contacts'][number];
export type CampaignContact = Open<Schemas['CampaignContact']>;
/** `cursor` and `limit` are optional: iteration goes through all pages. */
export type CampaignContactFilter = QueryOf<'listContacts'>;
/** With the first 100 lines that are no contact. */
export type CampaignUpload = Open<Schemas['CampaignUploadEnvelope']['upload']>;

export type WebhookEndpoint = Open<Schemas['WebhookEndpoint']>;
export type NewWebhookEndpoint = Schemas['CreateWebhookEndpoint'];
export type WebhookEndpointChange = Schemas['UpdateWebhookEndpoint'];
export type CreatedWebhookEndpoint = Open<Schemas['CreatedWebhookEndpoint']>;
export type WebhookRotation = Schemas['RotateWebhookSecret'];
export type RotatedWebhookSecret = Open<Schemas['RotatedWebhookSecret']>;
export type PerCallSecret = Open<Schemas['PerCallWebhookSecret']>;
export type MadePerCallSecret = Open<Schemas['MadePerCallWebhookSecret']>;
export type TestWebhookType = NonNullable<Schemas['TestWebhook']['type']>;
export type WebhookMessage = Open<Schemas['WebhookMessage']>;
export type WebhookMessageDetail = Open<Schemas['WebhookMessageDetail']>;
export type WebhookDelivery = Open<Schemas['WebhookDelivery']>;
export type WebhookDeliveryFilter = QueryOf<'listWebhookDeliveries'>;
export type WebhookReplay = Open<Schemas['WebhookReplay']>;
export type NewWebhookReplay = Schemas['CreateWebhookReplay'];
export type WebhookListener = Open<Schemas['WebhookListener']>;
export type NewWebhookListener = Schemas['CreateWebhookListener'];
export type CreatedWebhookListener = Open<Schemas['CreatedWebhookListener']>;
/** A signed request, to be forwarded unchanged. */
export type ListenerWebhook = Open<Schemas['ListenerWebhook']>;
export type WebhookResult = Schemas['WebhookResult'];

export interface PageOptions {
  /** How many a page has. */
  readonly limit?: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}
