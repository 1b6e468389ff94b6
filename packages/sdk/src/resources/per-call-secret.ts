import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import type { MadePerCallSecret, PerCallSecret } from '../types.ts';

const PATH = '/api/v1/webhook-endpoints/per-call/secret';

/** The secret that signs what is sent to the `webhook_url` of calls. Needs the scope `manage`. */
export class PerCallSecretResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** When it was made, without the secret. */
  get(options: RequestOptions = {}): Promise<PerCallSecret> {
    return bodyOf(this.#api.http.GET(PATH, withSignal(options)));
  }

  /**
   * A new secret, in the answer, this once. Both secrets sign for `overlapHours`, 24 by default; 0 ends the old one at once.
   *
   * @throws ConflictError while the secret before the current one still signs, unless `overlapHours` is 0
   */
  make(options: RequestOptions & { readonly overlapHours?: number } = {}): Promise<MadePerCallSecret> {
    const { overlapHours, ...rest } = options;
    const params = { query: overlapHours === undefined ? {} : { overlap_hours: overlapHours } };
    return bodyOf(this.#api.http.POST(PATH, { params, ...withSignal(rest) }));
  }
}
