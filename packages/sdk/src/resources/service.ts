import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';

type Json = Readonly<Record<string, unknown>>;

/** The server itself. Needs no scope. */
export class ServiceResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Whether the process runs. */
  health(options: RequestOptions = {}): Promise<Json> {
    return bodyOf(this.#api.http.GET('/healthz', withSignal(options)));
  }

  /** Resolves if calls can be created. @throws ServiceUnavailableError if not */
  readiness(options: RequestOptions = {}): Promise<Json> {
    return bodyOf(this.#api.http.GET('/readyz', withSignal(options)));
  }

  /** Its OpenAPI document. */
  document(options: RequestOptions = {}): Promise<Json> {
    return bodyOf(this.#api.http.GET('/api/v1/openapi.json', withSignal(options)));
  }
}
