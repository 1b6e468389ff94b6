import {
  acceptedContacts,
  comesAfter,
  contactName,
  contactsLeft,
  isOpen,
  type CampaignCallView,
  type CampaignView,
  type CountView,
} from './campaign-view.ts';
import type { Promises } from './promises.ts';

type Violate = Pick<Promises, 'violate'>;

/** The cursor passes each contact of a ready upload once: each up to it has a call, and none behind it. */
export function checkCursor(
  { before, after }: { readonly before: CampaignView; readonly after: CampaignView },
  promises: Violate,
): void {
  const { cursor, passed, calls } = after;
  if (comesAfter(before.cursor, cursor))
    promises.violate('a cursor moves forward', `${after.id}: to ${contactName(cursor)}`);
  const called = new Set(calls.map(contactName));
  const accepted = acceptedContacts(after);
  const upTo = accepted.filter((contact) => !comesAfter(contact, cursor));
  for (const contact of upTo)
    if (!called.has(contactName(contact)))
      promises.violate('no contact is skipped', `${after.id}: ${contactName(contact)}`);
  for (const contact of contactsLeft(after))
    if (called.has(contactName(contact)))
      promises.violate('a contact is passed once', `${after.id}: ${contactName(contact)}`);
  if (passed !== upTo.length) promises.violate('a contact is passed once', `${after.id}: ${passed} of ${upTo.length}`);
}

/** A contact's attempts are 1 to n without a gap, no more than were asked for, and one of them is open or scheduled at most. */
export function checkCampaignAttempts({ id, calls, maxAttempts }: CampaignView, promises: Violate): void {
  for (const [contact, attempts] of byContact(calls)) {
    const name = `campaign ${id.slice(-3)}, contact ${contact}`;
    const numbers = attempts.map(({ attempt }) => attempt).toSorted((one, other) => one - other);
    if (numbers.some((number, index) => number !== index + 1))
      promises.violate('the attempts of a contact have no gap', `${name}: ${numbers.join(', ')}`);
    // What was returned was not dialed.
    const givenBack = Math.max(...attempts.map((attempt) => attempt.givenBack));
    if (attempts.length - givenBack > maxAttempts)
      promises.violate(
        'no contact is called too often',
        `${name}: ${attempts.length}, ${givenBack} of them not dialed`,
      );
    if (attempts.filter(({ status }) => status !== 'ended').length > 1)
      promises.violate('a contact has one call at a time', name);
  }
}

/** The sums of `campaign_counts` are a recount of the calls. */
export function checkCounts({ id, calls, counts }: CampaignView, promises: Violate): void {
  const recount = new Map<string, CountView>();
  const retried = new Set(calls.map((call) => `${contactName(call)} ${call.attempt - 1}`));
  for (const call of calls.filter(({ status }) => status === 'ended')) {
    const key = { reason: call.reason ?? '', isFinal: !retried.has(`${contactName(call)} ${call.attempt}`) };
    const name = `${key.reason} ${key.isFinal}`;
    const sum = recount.get(name) ?? { ...key, calls: 0, answered: 0, cost: 0 };
    recount.set(name, {
      ...sum,
      calls: sum.calls + 1,
      answered: sum.answered + (call.answered ? 1 : 0),
      cost: sum.cost + call.cost,
    });
  }
  const [expected, found] = [shown([...recount.values()]), shown(counts)];
  if (expected !== found)
    promises.violate('counts are a recount', `campaign ${id.slice(-3)}: ${found} instead of ${expected}`);
}

/** At completion each accepted contact's last attempt has ended, unless the campaign's end has come before its first. */
export function faultOfCompletion(campaign: CampaignView, nowMs: number): string | null {
  const { uploads, calls, endsMs } = campaign;
  if (uploads.some(({ state }) => state === 'receiving')) return 'an upload is under way';
  if (calls.some(isOpen)) return 'a call is open';
  if (calls.some(({ isWaiting }) => isWaiting)) return 'a call is scheduled';
  const isInTime = (endsMs ?? Infinity) > nowMs;
  const left = contactsLeft(campaign).length;
  return isInTime && left > 0 ? `${left} contacts were not called` : null;
}

function shown(counts: readonly CountView[]): string {
  return counts
    .map(({ reason, isFinal, calls, answered, cost }) => `${reason} ${isFinal} ${calls} ${answered} ${cost}`)
    .toSorted()
    .join(', ');
}

function byContact(calls: readonly CampaignCallView[]): ReadonlyMap<string, readonly CampaignCallView[]> {
  const found = new Map<string, CampaignCallView[]>();
  for (const call of calls) found.set(contactName(call), [...(found.get(contactName(call)) ?? []), call]);
  return found;
}
