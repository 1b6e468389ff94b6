import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import type { Secret } from '../types.ts';

const ONE = '/api/v1/secrets/{secret_name}';

/** Secrets of an agent's tools. Needs the scope `manage`. */
export class SecretsResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async list(options: RequestOptions = {}): Promise<readonly Secret[]> {
    return (await bodyOf(this.#api.http.GET('/api/v1/secrets', withSignal(options)))).secrets;
  }

  /** Creates the secret, or replaces its value. */
  async set(name: string, value: string, options: RequestOptions = {}): Promise<Secret> {
    const params = { path: { secret_name: name } };
    return (await bodyOf(this.#api.http.PUT(ONE, { params, body: { value }, ...withSignal(options) }))).secret;
  }

  async delete(name: string, options: RequestOptions = {}): Promise<void> {
    await this.#api.http.DELETE(ONE, { params: { path: { secret_name: name } }, ...withSignal(options) });
  }
}
