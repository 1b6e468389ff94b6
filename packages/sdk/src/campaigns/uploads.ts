import { bodyOf, download, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import type { CampaignUpload } from '../types.ts';

const ONE = '/api/v1/campaigns/{campaign_id}/uploads/{upload}';

/** What became of the contacts that were sent, by the number of the upload. */
export class CampaignUploadsResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** With the first 100 lines that are no contact. */
  async get(campaignId: string, upload: number, options: RequestOptions = {}): Promise<CampaignUpload> {
    const params = { path: { campaign_id: campaignId, upload } };
    return (await bodyOf(this.#api.http.GET(ONE, { params, ...withSignal(options) }))).upload;
  }

  /** All lines that are no contact, as a CSV file in UTF-8, as it arrives. */
  errors(campaignId: string, upload: number, options: RequestOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const path = `/api/v1/campaigns/${encodeURIComponent(campaignId)}/uploads/${upload}/errors.csv`;
    return download(this.#api, path, 'text/csv', options);
  }
}
