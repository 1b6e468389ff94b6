import type { Clock } from '../clock.ts';
import { bodyOf, csvUpload, download, withSignal, type Api, type RequestOptions } from '../http/api.ts';
import type { OnProgress, UploadBody } from '../http/transport.ts';
import { pageOf, Pages } from '../pages.ts';
import type {
  Campaign,
  CampaignCancellation,
  CampaignChange,
  CampaignUpload,
  NewCampaign,
  PageOptions,
} from '../types.ts';
import { CampaignContactsResource } from './contacts.ts';
import { followCampaign, type FollowCampaignOptions } from './follow-campaign.ts';
import { CampaignUploadsResource } from './uploads.ts';

const PATH = '/api/v1/campaigns';
const ONE = '/api/v1/campaigns/{campaign_id}';

/** The text of a CSV file, or what has it. `openAsBlob` of Node opens a file without reading it. */
export type ContactsFile = UploadBody;

export interface UploadOptions extends RequestOptions {
  /** For the list of uploads. */
  readonly fileName?: string | undefined;
  /** Lines that are no contact: `skip` them, which is the default, or `refuse` the file. */
  readonly onInvalid?: 'skip' | 'refuse' | undefined;
  /** Called with the bytes that have been read to be sent; from 0 again when the file is sent again. */
  readonly onProgress?: OnProgress | undefined;
}

export interface CampaignsDeps {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Calls to many, at a pace. */
export class CampaignsResource {
  readonly contacts: CampaignContactsResource;
  readonly uploads: CampaignUploadsResource;
  readonly #deps: CampaignsDeps;

  constructor(deps: CampaignsDeps) {
    this.#deps = deps;
    this.contacts = new CampaignContactsResource(deps.api);
    this.uploads = new CampaignUploadsResource(deps.api);
  }

  /** Creates a draft, which dials no number. It is not repeated after a lost answer: a second draft would be another one. */
  create(body: NewCampaign, options: RequestOptions = {}): Promise<Campaign> {
    return campaignIn(bodyOf(this.#deps.api.http.POST(PATH, { body, ...withSignal(options) })));
  }

  get(campaignId: string, options: RequestOptions = {}): Promise<Campaign> {
    return campaignIn(bodyOf(this.#deps.api.http.GET(ONE, { ...paramsOf(campaignId), ...withSignal(options) })));
  }

  /** Newest first. */
  list({ cursor: first, ...rest }: PageOptions = {}, options: RequestOptions = {}): Pages<Campaign> {
    return new Pages(async (cursor) => {
      const query = cursor === undefined ? rest : { ...rest, cursor };
      const page = await bodyOf(this.#deps.api.http.GET(PATH, { params: { query }, ...withSignal(options) }));
      return pageOf(page.campaigns, page);
    }, first);
  }

  /** @throws ConflictError `campaign_state` if this may not be changed where the campaign stands */
  update(campaignId: string, body: CampaignChange, options: RequestOptions = {}): Promise<Campaign> {
    return campaignIn(bodyOf(this.#deps.api.http.PATCH(ONE, { ...this.#repeatable(campaignId, options), body })));
  }

  /** Repeating it changes nothing, as with `pause`, `resume` and `cancel`. */
  start(campaignId: string, options: RequestOptions = {}): Promise<Campaign> {
    return campaignIn(bodyOf(this.#deps.api.http.POST(`${ONE}/start`, this.#repeatable(campaignId, options))));
  }

  /** Within a second no more of its calls are dialed. Open calls go on. */
  pause(campaignId: string, options: RequestOptions = {}): Promise<Campaign> {
    return campaignIn(bodyOf(this.#deps.api.http.POST(`${ONE}/pause`, this.#repeatable(campaignId, options))));
  }

  resume(campaignId: string, options: RequestOptions = {}): Promise<Campaign> {
    return campaignIn(bodyOf(this.#deps.api.http.POST(`${ONE}/resume`, this.#repeatable(campaignId, options))));
  }

  /** Ends it for good. With `hang_up` its open calls are ended too. */
  cancel(campaignId: string, body: CampaignCancellation = {}, options: RequestOptions = {}): Promise<Campaign> {
    const init = { ...this.#repeatable(campaignId, options), body };
    return campaignIn(bodyOf(this.#deps.api.http.POST(`${ONE}/cancel`, init)));
  }

  /**
   * Deletes a draft, or a campaign that is over, with its contacts. Its calls stay.
   *
   * @throws ConflictError `campaign_state` if it is to be cancelled first
   */
  async delete(campaignId: string, options: RequestOptions = {}): Promise<void> {
    await this.#deps.api.http.DELETE(ONE, { ...paramsOf(campaignId), ...withSignal(options) });
  }

  /**
   * Adds the contacts of a CSV file of at most 256 MiB, which is read while it is sent. Nothing is called before the whole
   * file has come. A number that the campaign has already is a duplicate, so a file may be sent again. After a broken
   * connection a text or a `Blob` is; a stream is sent once.
   */
  async uploadContacts(campaignId: string, file: ContactsFile, options: UploadOptions = {}): Promise<CampaignUpload> {
    const { fileName, onInvalid, onProgress } = options;
    const { http, transport } = this.#deps.api;
    const query = {
      ...(fileName === undefined ? {} : { file_name: fileName }),
      ...(onInvalid === undefined ? {} : { on_invalid: onInvalid }),
    };
    const init = {
      params: { path: { campaign_id: campaignId }, query },
      body: '',
      ...csvUpload(transport, file, onProgress),
      ...withSignal(options),
    };
    return (await bodyOf(http.POST(`${ONE}/contacts`, init))).upload;
  }

  /** Every contact with its outcome, as a CSV file in UTF-8, as it arrives. A stream that breaks off ends with an error. */
  results(campaignId: string, options: RequestOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return download(this.#deps.api, `${PATH}/${encodeURIComponent(campaignId)}/results.csv`, 'text/csv', options);
  }

  /**
   * The campaign as it is now, then every two seconds until it is completed or cancelled.
   *
   * @throws OutdialError if the service does not answer for five minutes
   */
  follow(campaignId: string, options: FollowCampaignOptions = {}): AsyncGenerator<Campaign, void, undefined> {
    const read = (id: string, by: RequestOptions) => this.get(id, by);
    return followCampaign({ ...this.#deps, read }, campaignId, options);
  }

  /** The campaign once it is completed or cancelled. One that is a draft or paused may never be. */
  async wait(campaignId: string, options: FollowCampaignOptions = {}): Promise<Campaign> {
    let last: Campaign | null = null;
    for await (const campaign of this.follow(campaignId, options)) last = campaign;
    return last ?? this.get(campaignId, options);
  }

  /** A request that names a campaign, and that changes nothing twice. */
  #repeatable(campaignId: string, options: RequestOptions) {
    const fetch = this.#deps.api.transport.sendRepeatable;
    return { ...paramsOf(campaignId), fetch, ...withSignal(options) };
  }
}

function paramsOf(campaignId: string) {
  return { params: { path: { campaign_id: campaignId } } };
}

async function campaignIn(body: Promise<{ readonly campaign: Campaign }>): Promise<Campaign> {
  return (await body).campaign;
}
