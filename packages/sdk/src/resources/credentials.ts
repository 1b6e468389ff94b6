import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import { pageOf, Pages } from '../pages.ts';
import type { CheckedCredential, Credential, CredentialLimits, NewCredential, PageOptions } from '../types.ts';

const PATH = '/api/v1/provider-credentials';
const ONE = '/api/v1/provider-credentials/{credential_id}';

/** Keys of model providers. Needs the scope `manage`. */
export class CredentialsResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list({ cursor: first, ...rest }: PageOptions = {}, options: RequestOptions = {}): Pages<Credential> {
    return new Pages(async (cursor) => {
      const query = cursor === undefined ? rest : { ...rest, cursor };
      const page = await bodyOf(this.#api.http.GET(PATH, { params: { query }, ...withSignal(options) }));
      return pageOf(page.credentials, page);
    }, first);
  }

  async create(body: NewCredential, options: RequestOptions = {}): Promise<Credential> {
    return (await bodyOf(this.#api.http.POST(PATH, { body, ...withSignal(options) }))).credential;
  }

  async update(credentialId: string, body: CredentialLimits, options: RequestOptions = {}): Promise<Credential> {
    const params = { path: { credential_id: credentialId } };
    return (await bodyOf(this.#api.http.PATCH(ONE, { params, body, ...withSignal(options) }))).credential;
  }

  /** Replaces the provider's key. Open calls go on with the old one. */
  async rotate(credentialId: string, apiKey: string, options: RequestOptions = {}): Promise<Credential> {
    const params = { path: { credential_id: credentialId } };
    const body = { api_key: apiKey };
    return (await bodyOf(this.#api.http.POST(`${ONE}/rotate`, { params, body, ...withSignal(options) }))).credential;
  }

  async delete(credentialId: string, options: RequestOptions = {}): Promise<void> {
    await this.#api.http.DELETE(ONE, { params: { path: { credential_id: credentialId } }, ...withSignal(options) });
  }

  /** Asks the provider whether the key is valid. */
  check(
    credentialId: string,
    query: { readonly model?: string } = {},
    options: RequestOptions = {},
  ): Promise<CheckedCredential> {
    const params = { path: { credential_id: credentialId }, query };
    return bodyOf(this.#api.http.POST(`${ONE}/check`, { params, ...withSignal(options) }));
  }
}
