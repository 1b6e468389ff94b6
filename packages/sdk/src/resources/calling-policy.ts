import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import { pageOf, Pages } from '../pages.ts';
import type {
  CallingPolicy,
  CallingPolicyCheck,
  CallingPolicyEnvelope,
  CallingPolicyQuestion,
  NewCallingPolicy,
  PageOptions,
} from '../types.ts';

const PATH = '/api/v1/account/calling-policy';

/** When, and how often, the account calls. */
export class CallingPolicyResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The policy in force, and the operator's floor, which holds besides. */
  get(options: RequestOptions = {}): Promise<CallingPolicyEnvelope> {
    return bodyOf(this.#api.http.GET(PATH, withSignal(options)));
  }

  /** Replaces the whole policy: what is not given closes nothing. Needs the scope `manage`. */
  update(body: NewCallingPolicy, options: RequestOptions = {}): Promise<CallingPolicyEnvelope> {
    return bodyOf(this.#api.http.PUT(PATH, { body, ...withSignal(options) }));
  }

  /** Every policy that was in force, newest first. */
  versions({ cursor: first, ...rest }: PageOptions = {}, options: RequestOptions = {}): Pages<CallingPolicy> {
    return new Pages(async (cursor) => {
      const query = cursor === undefined ? rest : { ...rest, cursor };
      const page = await bodyOf(this.#api.http.GET(`${PATH}/versions`, { params: { query }, ...withSignal(options) }));
      return pageOf(page.versions, page);
    }, first);
  }

  /** What a request for a call to the number would be answered, now or `at` another time. It counts no call. */
  check(body: CallingPolicyQuestion, options: RequestOptions = {}): Promise<CallingPolicyCheck> {
    const { http, transport } = this.#api;
    return bodyOf(http.POST(`${PATH}/check`, { body, fetch: transport.sendRepeatable, ...withSignal(options) }));
  }
}
