import { CallsResource } from './calls/calls.ts';
import { systemClock, type Clock } from './clock.ts';
import { fromEnvironment } from './environment.ts';
import { OutdialError } from './errors.ts';
import { createApi } from './http/api.ts';
import { checkedBaseUrl, checkedKey } from './http/base-url.ts';
import { Transport, type Fetch } from './http/transport.ts';
import { AccountResource, PhoneNumbersResource } from './resources/account.ts';
import { AgentsResource } from './resources/agents.ts';
import { ApiKeysResource } from './resources/api-keys.ts';
import { CampaignsResource } from './campaigns/campaigns.ts';
import { CredentialsResource } from './resources/credentials.ts';
import { ModelsResource } from './resources/models.ts';
import { SecretsResource } from './resources/secrets.ts';
import { ServiceResource } from './resources/service.ts';
import { SuppressionsResource } from './resources/suppressions.ts';
import { EvaluationsResource } from './resources/evaluations.ts';
import { TriesResource } from './resources/tries.ts';
import { WebhookEndpointsResource } from './resources/webhook-endpoints.ts';
import { WebhookListenersResource } from './resources/webhook-listeners.ts';
import { WebhookMessagesResource } from './resources/webhook-messages.ts';
import { webhooks } from './webhooks.ts';

export interface OutdialOptions {
  /** Default: `OUTDIAL_API_KEY` of the environment. */
  readonly apiKey?: string | undefined;
  /** Such as `https://calls.example.com`; `/api/v1` at its end does no harm. Default: `OUTDIAL_BASE_URL` of the environment. */
  readonly baseUrl?: string | undefined;
  /**
   * Whether the key may go to another machine over `http:`. Default: whether `OUTDIAL_ALLOW_HTTP` of the environment is
   * `true`.
   */
  readonly allowHttp?: boolean | undefined;
  /** Of one attempt of a request, in milliseconds. Default: 10 s. */
  readonly timeoutMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  /** From 0 to 1: the jitter of repetitions. */
  readonly random?: () => number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** A client of one account of an Outdial server. */
export class Outdial {
  readonly calls: CallsResource;
  readonly agents: AgentsResource;
  readonly models: ModelsResource;
  readonly tries: TriesResource;
  readonly evaluations: EvaluationsResource;
  readonly phoneNumbers: PhoneNumbersResource;
  readonly account: AccountResource;
  readonly apiKeys: ApiKeysResource;
  readonly campaigns: CampaignsResource;
  readonly credentials: CredentialsResource;
  readonly secrets: SecretsResource;
  readonly suppressions: SuppressionsResource;
  readonly service: ServiceResource;
  readonly webhookEndpoints: WebhookEndpointsResource;
  readonly webhookMessages: WebhookMessagesResource;
  readonly webhookListeners: WebhookListenersResource;
  readonly webhooks: typeof webhooks = webhooks;

  /** @throws OutdialError without a key or a safe address */
  constructor(options: OutdialOptions = {}) {
    const { clock = systemClock, random = Math.random, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const fetch: Fetch = options.fetch ?? ((request, init) => globalThis.fetch(request, init));
    const apiKey = options.apiKey ?? fromEnvironment('OUTDIAL_API_KEY') ?? missing('apiKey', 'OUTDIAL_API_KEY');
    const baseUrl = options.baseUrl ?? fromEnvironment('OUTDIAL_BASE_URL') ?? missing('baseUrl', 'OUTDIAL_BASE_URL');
    const allowHttp = options.allowHttp ?? fromEnvironment('OUTDIAL_ALLOW_HTTP') === 'true';
    const transport = new Transport({ fetch, clock, random, timeoutMs });
    const api = createApi({ apiKey: checkedKey(apiKey), baseUrl: checkedBaseUrl(baseUrl, allowHttp), transport });
    this.calls = new CallsResource({ api, clock, random });
    this.agents = new AgentsResource(api);
    this.models = new ModelsResource(api);
    this.tries = new TriesResource(api, clock);
    this.evaluations = new EvaluationsResource(api);
    this.phoneNumbers = new PhoneNumbersResource(api);
    this.account = new AccountResource(api);
    this.apiKeys = new ApiKeysResource(api);
    this.campaigns = new CampaignsResource({ api, clock, random });
    this.credentials = new CredentialsResource(api);
    this.secrets = new SecretsResource(api);
    this.suppressions = new SuppressionsResource(api);
    this.service = new ServiceResource(api);
    this.webhookEndpoints = new WebhookEndpointsResource(api);
    this.webhookMessages = new WebhookMessagesResource(api);
    this.webhookListeners = new WebhookListenersResource({ api, clock, random });
  }
}

function missing(option: string, variable: string): never {
  throw new OutdialError({ code: 'not_configured', status: null, message: `Pass ${option}, or set ${variable}.` });
}
