import type { CampaignSettings } from '@outdial/calls';
import { e164Schema, type CampaignId, type E164 } from '@outdial/contracts';
import { openOwnAccount, type Database, type NewContact, type Upload } from '@outdial/persistence';
import { CampaignWatch } from '../check/campaign-watch.ts';
import type { CampaignView } from '../check/campaign-view.ts';
import type { Promises } from '../check/promises.ts';
import type { Party } from '../processes/fixtures.ts';
import type { SimulatedPostgres } from '../stores/simulated-postgres.ts';
import type { WorldClock } from './clock.ts';
import type { IdSequence } from './id-sequence.ts';
import type { Process } from './process.ts';

/** A campaign, as its client knows it. */
export interface KnownCampaign {
  readonly id: CampaignId;
  readonly party: Party;
}

/** A file on its way: one request at a time, and a batch whose answer was lost is sent again. */
export interface UploadUnderWay {
  readonly process: Process;
  readonly campaign: KnownCampaign;
  readonly upload: Upload;
  batch: readonly UploadedLine[];
  lines: number;
  isBusy: boolean;
}

type UploadedLine = NewContact & { readonly line: number };

interface CampaignsInput {
  readonly clock: WorldClock;
  readonly postgres: SimulatedPostgres;
  readonly database: Database;
  readonly promises: Promises;
  readonly ids: IdSequence;
  readonly losesCommits: boolean;
}

/** The campaigns of the world's accounts, as their clients know them: outside everything that may crash. */
export class Campaigns {
  readonly all: KnownCampaign[] = [];
  readonly uploads: UploadUnderWay[] = [];
  readonly watch: CampaignWatch;
  readonly #input: CampaignsInput;
  #contacts = 0;

  constructor(input: CampaignsInput) {
    this.#input = input;
    this.watch = new CampaignWatch(input);
  }

  /** As they are after the last statement. */
  get views(): readonly CampaignView[] {
    return this.watch.campaigns;
  }

  /** A draft. Nothing is on the wire: only what comes after it may crash. */
  async create(party: Party, settings: Omit<CampaignSettings, 'agentId'>): Promise<KnownCampaign> {
    const { postgres, database, ids } = this.#input;
    const campaign = { id: ids.campaignId(), party };
    await postgres.tellTime();
    const owner = {
      accountId: party.accountId,
      actor: 'model',
      bounds: { apiKeys: 1, agents: 1, credentials: 1, secrets: 1 },
    };
    await openOwnAccount(database, owner).campaigns.create(campaign.id, { ...settings, agentId: party.agentId });
    this.all.push(campaign);
    await this.watch.refresh();
    return campaign;
  }

  /** Their numbers are of no other contact, but that now and then one comes twice. */
  newContacts(count: number): readonly NewContact[] {
    return Array.from({ length: count }, () => {
      this.#contacts += 1;
      return {
        number: numberOf(this.#contacts - (this.#contacts % 7 === 0 ? 1 : 0)),
        variables: {},
        metadata: {},
        timeZone: null,
      };
    });
  }
}

function numberOf(index: number): E164 {
  return e164Schema.parse(`+1202556${String(index).padStart(4, '0')}`);
}
