import { contactProblems, type CampaignRecord } from '@outdial/calls';
import type { AddContactsBody, CampaignId, InvalidParam } from '@outdial/contracts';
import { zoneNamed } from '@outdial/numbering';
import type { ContactCursor } from '@outdial/persistence';
import { invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf } from '../../http/own-account.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import { addContactsContract, listContactsContract } from './contracts.ts';
import { campaignOf, type CampaignDeps } from './handlers.ts';
import { presentAdded, presentContact } from './present.ts';
import { createReceiveContacts, type ReceiveContactsDeps } from './receive-contacts.ts';
import { campaignRefusal, planRefusal } from './refusals.ts';

/** Contacts as JSON, or as a file. */
export function addContactsRoute(deps: ReceiveContactsDeps): AccountRoute {
  const receive = createReceiveContacts(deps);
  return defineRoute(
    addContactsContract,
    async ({ principal, params: { campaign_id: id }, query, body }) => {
      if (body.kind === 'json') return { status: 201, body: await addContacts(deps, principal, id, body.value) };
      const { file_name: fileName = null, on_invalid: onInvalid } = query;
      const file = { campaignId: id, fileName, refuseInvalid: onInvalid === 'refuse', chunks: body.chunks };
      return { status: 201, body: await receive(principal, file) };
    },
    // A file takes as long as its upload. A client that knows no end sends it again: what was added is a duplicate then.
    { keepsDeadline: true },
  );
}

async function addContacts(deps: CampaignDeps, principal: AccountPrincipal, id: CampaignId, body: AddContactsBody) {
  const { campaigns } = ownAccountOf(deps, principal);
  await checkContacts(deps, principal, await campaignOf(campaigns, id), body);
  const contacts = body.contacts.map(({ to_number: number, time_zone: zone, variables, metadata }) => {
    return { number, variables, metadata, timeZone: zone === undefined ? null : zoneNamed(zone) };
  });
  const outcome = await deps.heavyReads.read(principal.account.id, () => campaigns.addContacts(id, contacts));
  if (outcome.kind !== 'added') throw campaignRefusal(outcome);
  return { upload: { ...presentAdded(outcome.upload), errors: [] } };
}

/** @throws ApiError that names each field of each contact that could not be called */
async function checkContacts(
  { contactDirectory }: CampaignDeps,
  { account }: AccountPrincipal,
  { agentId }: CampaignRecord,
  { contacts }: AddContactsBody,
): Promise<void> {
  const agent = await contactDirectory.findAgent(account.id, agentId);
  if (agent === null) throw planRefusal({ kind: 'agent_access_denied' });
  const rules = { agent, account, deck: await contactDirectory.rateDeck(account.currency) };
  const problems = contacts.flatMap(({ to_number: number, variables, time_zone: zone }, at): InvalidParam[] =>
    contactProblems(rules, { number, variables, timeZone: zone ?? null }).map(({ param, message }) => {
      return { param: `contacts.${at}.${param}`, message };
    }),
  );
  if (problems.length > 0) throw invalidRequest(problems);
}

export function listContactsRoute(deps: CampaignDeps): AccountRoute {
  return defineRoute(listContactsContract, async ({ principal, params: { campaign_id: id }, query }) => {
    const { campaigns } = ownAccountOf(deps, principal);
    const after = query.cursor === undefined ? null : readPlace(query.cursor);
    const { state } = await campaignOf(campaigns, id);
    const page = await deps.heavyReads.read(principal.account.id, () =>
      campaigns.contacts(id, { after, limit: query.limit, outcome: query.outcome }),
    );
    const last = page.contacts.at(-1);
    const next = page.hasMore && last ? `${last.upload}.${last.line}` : null;
    const contacts = page.contacts.map((contact) => presentContact(contact, state));
    return { status: 200, body: { contacts, has_more: page.hasMore, next_cursor: next } };
  });
}

/** A place among the contacts of one campaign. The client may know it. */
function readPlace(text: string): ContactCursor {
  const [, upload, line] = /^(\d{1,9})\.(\d{1,9})$/.exec(text) ?? [];
  if (upload !== undefined && line !== undefined) return { upload: Number(upload), line: Number(line) };
  throw invalidRequest([{ param: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }]);
}
