import { bodyOf, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import { pageOf, Pages } from '../pages.ts';
import type { CampaignContact, CampaignContactFilter, CampaignUpload, NewContact } from '../types.ts';

const PATH = '/api/v1/campaigns/{campaign_id}/contacts';

/** Whom a campaign calls. */
export class CampaignContactsResource {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** In the order in which they are called, each with its last call. */
  list(
    campaignId: string,
    { cursor: first, ...rest }: CampaignContactFilter = {},
    options: RequestOptions = {},
  ): Pages<CampaignContact> {
    return new Pages(async (cursor) => {
      const query = cursor === undefined ? rest : { ...rest, cursor };
      const params = { path: { campaign_id: campaignId }, query };
      const page = await bodyOf(this.#api.http.GET(PATH, { params, ...withSignal(options) }));
      return pageOf(page.contacts, page);
    }, first);
  }

  /**
   * Adds at most 500 contacts, all or none. A number that the campaign has already is a duplicate: after a lost answer the
   * request is sent again, and counts what the first attempt added as duplicates.
   */
  async add(
    campaignId: string,
    contacts: readonly NewContact[],
    options: RequestOptions = {},
  ): Promise<CampaignUpload> {
    const { http, transport } = this.#api;
    const init = {
      params: { path: { campaign_id: campaignId } },
      body: { contacts: [...contacts] },
      fetch: transport.sendRepeatable,
      ...withSignal(options),
    };
    return (await bodyOf(http.POST(PATH, init))).upload;
  }
}
