import { bodyOf, csvUpload, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import { pageOf, Pages } from '../pages.ts';
import type {
  CreatedSuppressions,
  NewSuppressions,
  Suppression,
  SuppressionCheck,
  SuppressionFile,
  SuppressionFilter,
  SuppressionImport,
} from '../types.ts';

const PATH = '/api/v1/suppressions';

/** The do-not-call list of the account. */
export class SuppressionsResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** At most 500 numbers. From then on no dial to them begins more than a second later. */
  add(body: NewSuppressions, options: RequestOptions = {}): Promise<CreatedSuppressions> {
    const { http, transport } = this.#api;
    return bodyOf(http.POST(PATH, { body, fetch: transport.sendRepeatable, ...withSignal(options) }));
  }

  /** Newest first. */
  list({ cursor: first, ...rest }: SuppressionFilter = {}, options: RequestOptions = {}): Pages<Suppression> {
    return new Pages(async (cursor) => {
      const query = cursor === undefined ? rest : { ...rest, cursor };
      const page = await bodyOf(this.#api.http.GET(PATH, { params: { query }, ...withSignal(options) }));
      return pageOf(page.suppressions, page);
    }, first);
  }

  /** Checks at most 500 numbers against the list of the account and the platform's. */
  async check(numbers: readonly string[], options: RequestOptions = {}): Promise<readonly SuppressionCheck[]> {
    const { http, transport } = this.#api;
    const [body, fetch] = [{ numbers: [...numbers] }, transport.sendRepeatable];
    return (await bodyOf(http.POST(`${PATH}/check`, { body, fetch, ...withSignal(options) }))).results;
  }

  /** Takes a manual entry off the list. Needs the scope `manage`. @throws ConflictError `opt_out_stands` */
  async remove(suppressionId: string, body: { readonly reason: string }, options: RequestOptions = {}): Promise<void> {
    const params = { path: { suppression_id: suppressionId } };
    await this.#api.http.DELETE(`${PATH}/{suppression_id}`, { params, body, ...withSignal(options) });
  }

  /**
   * Adds the numbers of a CSV file of at most 64 MiB; `openAsBlob` of Node opens one without reading it. Repeating an import
   * is safe: after a broken connection it is sent again, and counts what the first attempt added as listed already.
   */
  import(file: string | Blob, query: SuppressionFile = {}, options: RequestOptions = {}): Promise<SuppressionImport> {
    const { http, transport } = this.#api;
    return bodyOf(
      http.POST(`${PATH}/import`, {
        params: { query },
        body: '',
        ...csvUpload(transport, file),
        ...withSignal(options),
      }),
    );
  }
}
