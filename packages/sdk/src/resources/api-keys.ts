import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import type { ApiKey, CreatedApiKey, NewApiKey } from '../types.ts';

const PATH = '/api/v1/api-keys';

/** Needs the scope `manage`. */
export class ApiKeysResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async list(options: RequestOptions = {}): Promise<readonly ApiKey[]> {
    return (await bodyOf(this.#api.http.GET(PATH, withSignal(options)))).api_keys;
  }

  /** The key is in `value`, this once. It is not repeated when its answer is lost. */
  create(body: NewApiKey, options: RequestOptions = {}): Promise<CreatedApiKey> {
    return bodyOf(this.#api.http.POST(PATH, { body, ...withSignal(options) }));
  }

  async revoke(keyId: string, options: RequestOptions = {}): Promise<ApiKey> {
    const { http, transport } = this.#api;
    const params = { path: { key_id: keyId } };
    const fetch = transport.sendRepeatable;
    return (await bodyOf(http.POST(`${PATH}/{key_id}/revoke`, { params, fetch, ...withSignal(options) }))).api_key;
  }
}
