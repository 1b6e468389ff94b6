import type { CampaignRecord, CampaignSettings } from '@outdial/calls';
import type { CallId, CampaignId, CampaignState } from '@outdial/contracts';
import { addContacts, type AddContactsOutcome, type NewContact } from '../campaigns/add-contacts.ts';
import {
  changeCampaignState,
  createCampaign,
  updateCampaign,
  type CampaignChange,
  type CampaignOutcome,
  type CampaignWish,
  type CreateCampaignOutcome,
  type UpdateCampaignOutcome,
} from '../campaigns/change-campaign.ts';
import { deleteCampaign, type DeleteCampaignOutcome } from '../campaigns/delete-campaign.ts';
import {
  findCampaign,
  listCampaigns,
  listContacts,
  openCallsOf,
  type CampaignCursor,
  type CampaignPage,
  type ContactPage,
  type ContactQuery,
} from '../campaigns/read-campaigns.ts';
import type { OwnContext } from './own-context.ts';

/** The account's campaigns. Changes are audited. */
export interface OwnCampaigns {
  /** A draft. */
  create(id: CampaignId, settings: CampaignSettings): Promise<CreateCampaignOutcome>;
  /** Null if the account has no such campaign. */
  find(id: CampaignId): Promise<CampaignRecord | null>;
  /** Newest first. */
  page(input: { readonly after: CampaignCursor | null; readonly limit: number }): Promise<CampaignPage>;
  update(
    id: CampaignId,
    input: { readonly change: CampaignChange; readonly states: readonly CampaignState[] },
  ): Promise<UpdateCampaignOutcome>;
  /** From the commit of a pause or a cancellation nothing more is admitted. */
  changeState(id: CampaignId, wish: CampaignWish): Promise<CampaignOutcome>;
  /** Of a draft, or of one that is over. Its calls stay. */
  delete(id: CampaignId): Promise<DeleteCampaignOutcome>;
  /** One upload, ready at once. */
  addContacts(id: CampaignId, contacts: readonly NewContact[]): Promise<AddContactsOutcome>;
  /** In the order in which they are called. Of a campaign that is the account's own: see `find`. */
  contacts(id: CampaignId, query: ContactQuery): Promise<ContactPage>;
  /** Calls that hold a slot. Of a campaign that is the account's own: see `find`. */
  openCalls(id: CampaignId): Promise<readonly CallId[]>;
}

export function ownCampaigns(context: OwnContext): OwnCampaigns {
  const { database, accountId } = context;
  async function told<Outcome extends { readonly kind: string }>(
    changing: Promise<Outcome>,
    changed: Outcome['kind'],
  ): Promise<Outcome> {
    const outcome = await changing;
    if (outcome.kind === changed) context.onCampaignChanged?.();
    return outcome;
  }
  return {
    create: (id, settings) => createCampaign(context, id, settings),
    find: (id) => findCampaign(database, accountId, id),
    page: (input) => listCampaigns(database, accountId, input),
    update: (id, input) => told(updateCampaign(context, id, input), 'updated'),
    changeState: (id, wish) => told(changeCampaignState(context, id, wish), 'changed'),
    delete: (id) => deleteCampaign(context, id),
    addContacts: (id, contacts) => told(addContacts(context, id, contacts), 'added'),
    contacts: (id, query) => listContacts(database, id, query),
    openCalls: (id) => openCallsOf(database, id),
  };
}
