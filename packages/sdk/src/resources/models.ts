import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import type { ModelList } from '../types.ts';

export class ModelsResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** What agents may use: the operator's models with prices, and the providers with a credential. */
  list(options: RequestOptions = {}): Promise<ModelList> {
    return bodyOf(this.#api.http.GET('/api/v1/models', withSignal(options)));
  }
}
