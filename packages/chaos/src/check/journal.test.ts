import { describe, expect, test } from 'vitest';
import type { Received } from '../stack/receivers.ts';
import { journalViolations, type Evidence, type StoredDelivery, type SubscribedEvent } from './journal.ts';

const QUEUED: SubscribedEvent = { id: 1, accountId: 'acme', callId: 'c', type: 'call.queued', status: 'queued' };
const ENDED: SubscribedEvent = { id: 2, accountId: 'acme', callId: 'c', type: 'call.ended', status: 'ended' };

const requestOf = (
  { id, accountId, callId, type, status }: SubscribedEvent,
  changes: Partial<Received> = {},
): Received => ({
  accountId,
  callId,
  type,
  eventId: id,
  id: `msg_${id}`,
  callStatus: status ?? 'ended',
  digest: `bytes of ${id}`,
  isSigned: true,
  isAnswered: true,
  atMs: id,
  ...changes,
});
const deliveryOf = ({ id }: SubscribedEvent, changes: Partial<StoredDelivery> = {}): StoredDelivery => ({
  eventId: id,
  state: 'delivered',
  attempts: 1,
  triesLeft: 9,
  ...changes,
});

/** A call of two events as it should be, with what a test changes. */
const violations = (changes: Partial<Evidence>) =>
  journalViolations({
    events: [QUEUED, ENDED],
    deliveries: [deliveryOf(QUEUED), deliveryOf(ENDED)],
    received: [requestOf(QUEUED), requestOf(ENDED)],
    ...changes,
  });

/** The end of the call never arrives. */
const withDelivery = (changes: Partial<StoredDelivery>) =>
  violations({ received: [requestOf(QUEUED)], deliveries: [deliveryOf(QUEUED), deliveryOf(ENDED, changes)] });

test('nothing is wrong with events that arrive in their order, some twice with the same bytes', () => {
  expect(violations({})).toEqual([]);
  expect(violations({ received: [requestOf(QUEUED), requestOf(ENDED), requestOf(QUEUED)] })).toEqual([]);
});

describe('it is a violation', () => {
  test('that an event never arrives', () => {
    const lost = ['an event was never delivered: 2 (call.ended) of c'];
    expect(violations({ received: [requestOf(QUEUED)] })).toEqual(lost);
    expect(violations({ received: [requestOf(QUEUED)], deliveries: [deliveryOf(QUEUED)] })).toEqual(lost);
    expect(violations({ received: [requestOf(QUEUED), requestOf(ENDED, { isAnswered: false })] })).toEqual(lost);
  });

  test('that a webhook is about no event of its account', () => {
    const forged = ['a webhook is about no event of its account: msg_2 (call.ended)'];
    const of = (changes: Partial<Received>) =>
      violations({ events: [QUEUED], received: [requestOf(QUEUED), requestOf(ENDED, changes)] });
    expect(of({})).toEqual(forged);
    for (const changes of [{ accountId: 'other' }, { callId: 'another' }]) {
      expect(violations({ received: [requestOf(QUEUED), requestOf(ENDED, changes)] })).toEqual(forged);
    }
    const renamed = requestOf(ENDED, { type: 'call.ringing' });
    expect(violations({ received: [requestOf(QUEUED), renamed] })).toEqual([
      'a webhook is about no event of its account: msg_2 (call.ringing)',
    ]);
  });

  test('that an event has two ids, or two events have one', () => {
    const again = requestOf(ENDED, { id: 'msg_9' });
    expect(violations({ received: [requestOf(QUEUED), requestOf(ENDED), again] })).toEqual([
      'one event was sent as msg_2 and as msg_9',
    ]);
    const same = requestOf(ENDED, { id: 'msg_1' });
    expect(violations({ received: [requestOf(QUEUED), same] })).toEqual(['two events were sent as msg_1']);
  });

  test('that a repetition has other bytes', () => {
    const changed = requestOf(ENDED, { digest: 'other bytes' });
    expect(violations({ received: [requestOf(QUEUED), requestOf(ENDED), changed] })).toEqual([
      'a webhook was repeated with other bytes: msg_2',
    ]);
  });

  test('that a later event of a call arrives first, until the earlier one has failed three times', () => {
    const received = [requestOf(ENDED), requestOf(QUEUED)];
    expect(violations({ received })).toEqual(['an event arrived after a later one: 1 (call.queued) of c']);
    const thirdTry = [deliveryOf(QUEUED, { attempts: 3 }), deliveryOf(ENDED)];
    expect(violations({ received, deliveries: thirdTry })).toHaveLength(1);
    const fourthTry = [deliveryOf(QUEUED, { attempts: 4 }), deliveryOf(ENDED)];
    expect(violations({ received, deliveries: fourthTry })).toEqual([]);
    const other = { ...QUEUED, callId: 'of another call' };
    expect(violations({ events: [other, ENDED], received: [requestOf(ENDED), requestOf(other)] })).toEqual([]);
  });

  test('that a signature is wrong', () => {
    expect(violations({ received: [requestOf(QUEUED), requestOf(ENDED, { isSigned: false })] })).toEqual([
      'the signature of a webhook is wrong: msg_2 (call.ended)',
    ]);
  });

  test('that the call in a webhook is older than its event', () => {
    expect(violations({ received: [requestOf(QUEUED), requestOf(ENDED, { callStatus: 'ringing' })] })).toEqual([
      'the call in a webhook is older than its event: msg_2',
    ]);
    expect(violations({ received: [requestOf(QUEUED, { callStatus: 'ended' }), requestOf(ENDED)] })).toEqual([]);
  });

  test('that a delivery does not end, or is given up with tries left', () => {
    expect(withDelivery({ state: 'pending' })).toEqual(['a delivery has not ended: event 2 is pending']);
    expect(withDelivery({ state: 'failed', triesLeft: 4 })).toEqual(['a delivery failed with 4 tries left: event 2']);
    for (const state of ['failed', 'dropped']) expect(withDelivery({ state, triesLeft: 0 })).toEqual([]);
  });
});
