import { ManualClock } from '@outdial/testkit/async';
import { describe, expect, it } from 'vitest';
import { recordingSender, requestOf } from '../../test/transactions.ts';
import { InviteServerTransaction } from './invite-server-transaction.ts';
import { NonInviteServerTransaction } from './non-invite-server-transaction.ts';
import { createResponse } from './responses.ts';

function receive(method: 'INVITE' | 'BYE', { reliable = false } = {}) {
  const clock = new ManualClock();
  const { send, codes } = recordingSender();
  let isOver = false;
  const onTerminated = () => {
    isOver = true;
  };
  const options = { request: requestOf(method), clock, reliable, send, onTerminated };
  return { clock, codes, options, isOver: () => isOver };
}

function receiveInvite(settings?: { reliable: boolean }) {
  const test = receive('INVITE', settings);
  const transaction = new InviteServerTransaction(test.options);
  return {
    ...test,
    transaction,
    respond: (status: number) => transaction.respond(createResponse(test.options.request, status)),
  };
}

describe('an INVITE as a server (RFC 3261 section 17.2.1, RFC 6026)', () => {
  it('sends 100 by itself after 200 ms, unless a response was sent before', () => {
    const quiet = receiveInvite();
    quiet.clock.turn(200);
    expect(quiet.codes).toEqual([100]);
    const ringing = receiveInvite();
    ringing.respond(180);
    ringing.clock.turn(1_000);
    expect(ringing.codes).toEqual([180]);
  });

  it('repeats its last provisional response for a retransmitted request', () => {
    const test = receiveInvite();
    test.transaction.repeated();
    test.respond(180);
    test.transaction.repeated();
    expect(test.codes).toEqual([180, 180]);
  });

  it('timers G and H: a rejection is retransmitted until 64 T1 when no ACK comes', () => {
    const test = receiveInvite();
    test.respond(486);
    test.respond(603);
    test.clock.turn(31_999);
    expect(test.codes).toEqual(Array.from({ length: 11 }, () => 486));
    test.clock.turn(1);
    expect(test.isOver()).toBe(true);
    expect(test.clock.pendingTimers).toBe(0);
  });

  it('timer I: the ACK ends retransmissions, and further ACKs are absorbed for T4', () => {
    const test = receiveInvite();
    test.respond(486);
    test.transaction.acknowledged();
    test.transaction.repeated();
    test.clock.turn(4_999);
    expect(test.codes).toEqual([486]);
    expect(test.isOver()).toBe(false);
    test.clock.turn(1);
    expect(test.isOver()).toBe(true);
  });

  it('over TCP a rejection is not retransmitted', () => {
    const test = receiveInvite({ reliable: true });
    test.respond(486);
    test.clock.turn(10_000);
    expect(test.codes).toEqual([486]);
  });

  it('timer L: after a 2xx retransmitted requests are absorbed, and the session retransmits the 2xx', () => {
    const test = receiveInvite();
    test.respond(200);
    test.transaction.repeated();
    test.transaction.repeatAccepted();
    expect(test.codes).toEqual([200, 200]);
    test.clock.turn(32_000);
    expect(test.isOver()).toBe(true);
  });

  it('can stay mute, and is still removed', () => {
    const test = receiveInvite();
    test.transaction.neverRespond();
    test.transaction.repeated();
    test.clock.turn(32_000);
    expect(test.codes).toEqual([]);
    expect(test.isOver()).toBe(true);
  });
});

describe('any other request as a server (RFC 3261 section 17.2.2)', () => {
  it('timer J: retransmissions get the same final response for 64 T1, and only the first response counts', () => {
    const test = receive('BYE');
    const transaction = new NonInviteServerTransaction(test.options);
    transaction.repeated();
    transaction.respond(createResponse(test.options.request, 200));
    transaction.respond(createResponse(test.options.request, 500));
    transaction.repeated();
    expect(test.codes).toEqual([200, 200]);
    test.clock.turn(31_999);
    expect(test.isOver()).toBe(false);
    test.clock.turn(1);
    expect(test.isOver()).toBe(true);
  });

  it('over TCP no state is left behind', () => {
    const test = receive('BYE', { reliable: true });
    const transaction = new NonInviteServerTransaction(test.options);
    transaction.respond(createResponse(test.options.request, 200));
    test.clock.turn(0);
    expect(test.isOver()).toBe(true);
  });
});
