import { ManualClock } from '@outdial/testkit/async';
import { describe, expect, it } from 'vitest';
import { recordingChannel, recordingUser, requestOf, responseTo } from '../../test/transactions.ts';
import { InviteClientTransaction } from './invite-client-transaction.ts';
import { NonInviteClientTransaction } from './non-invite-client-transaction.ts';

function start(method: 'INVITE' | 'BYE', { reliable = false } = {}) {
  const clock = new ManualClock();
  const { channel, sent, fail } = recordingChannel(reliable);
  const { user, log } = recordingUser();
  let isOver = false;
  const onTerminated = () => {
    isOver = true;
  };
  const options = { request: requestOf(method), channel, clock, user, onTerminated };
  const transaction =
    method === 'INVITE' ? new InviteClientTransaction(options) : new NonInviteClientTransaction(options);
  const begin = () => transaction.start();
  const receive = (status: number) => transaction.receive(responseTo(method, status));
  return { clock, sent, fail, log, begin, receive, isOver: () => isOver };
}

/** When messages were sent, in milliseconds from the start, while the clock advanced to `untilMs`. */
function sendingTimes(test: ReturnType<typeof start>, untilMs: number): number[] {
  const times: number[] = [];
  const beganMs = test.clock.monotonicMs();
  for (let at = 0; at <= untilMs; at += 100) {
    const elapsedMs = test.clock.monotonicMs() - beganMs;
    times.push(...Array.from({ length: test.sent.length - times.length }, () => elapsedMs));
    test.clock.turn(100);
  }
  return times;
}

describe('an INVITE as a client (RFC 3261 section 17.1.1, RFC 6026)', () => {
  it('timers A and B: it is retransmitted at doubling intervals over UDP, and ends after 64 T1', () => {
    const test = start('INVITE');
    test.begin();
    expect(sendingTimes(test, 40_000)).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500]);
    expect(test.log).toEqual(['timeout']);
    expect(test.isOver()).toBe(true);
    expect(test.clock.pendingTimers).toBe(0);
  });

  it('is sent once over TCP', () => {
    const test = start('INVITE', { reliable: true });
    test.begin();
    expect(sendingTimes(test, 40_000)).toEqual([0]);
    expect(test.log).toEqual(['timeout']);
  });

  it('a provisional response ends retransmissions and timer B', () => {
    const test = start('INVITE');
    test.begin();
    test.receive(100);
    test.clock.turn(120_000);
    test.receive(180);
    expect(test.sent).toEqual(['INVITE']);
    expect(test.log).toEqual(['100', '180']);
    expect(test.isOver()).toBe(false);
  });

  it('timer D: a rejection is acknowledged each time it comes, and reported once', () => {
    const test = start('INVITE');
    test.begin();
    test.receive(486);
    test.receive(486);
    expect(test.sent).toEqual(['INVITE', 'ACK', 'ACK']);
    expect(test.log).toEqual(['486']);
    test.clock.turn(31_999);
    expect(test.isOver()).toBe(false);
    test.clock.turn(1);
    expect(test.isOver()).toBe(true);
  });

  it('over TCP a rejection leaves no state behind', () => {
    const test = start('INVITE', { reliable: true });
    test.begin();
    test.receive(486);
    test.clock.turn(0);
    expect(test.isOver()).toBe(true);
  });

  it('timer M: every 2xx is reported until 64 T1, because the user acknowledges each', () => {
    const test = start('INVITE');
    test.begin();
    test.receive(200);
    test.receive(200);
    test.receive(180);
    test.receive(486);
    expect(test.sent).toEqual(['INVITE']);
    expect(test.log).toEqual(['200', '200']);
    test.clock.turn(32_000);
    expect(test.isOver()).toBe(true);
  });

  it('reports whether a byte can have left', () => {
    const never = start('INVITE');
    never.fail({ error: new Error('no route'), mayHaveLeft: false });
    never.begin();
    expect(never.log).toEqual(['never sent']);
    const broken = start('INVITE', { reliable: true });
    broken.fail({ error: new Error('reset'), mayHaveLeft: true });
    broken.begin();
    expect(broken.log).toEqual(['lost']);
  });

  it('a failed retransmission does not end it while the first request may have arrived', () => {
    const test = start('INVITE');
    test.begin();
    test.fail({ error: new Error('no route'), mayHaveLeft: false });
    test.clock.turn(600);
    expect(test.log).toEqual([]);
    test.receive(180);
    expect(test.log).toEqual(['180']);
  });
});

describe('any other request as a client (RFC 3261 section 17.1.2)', () => {
  it('timers E and F: it is retransmitted at intervals up to T2, and ends after 64 T1', () => {
    const test = start('BYE');
    test.begin();
    const times = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500];
    expect(sendingTimes(test, 40_000)).toEqual(times);
    expect(test.log).toEqual(['timeout']);
  });

  it('after a provisional response it is retransmitted every T2', () => {
    const test = start('BYE');
    test.begin();
    test.receive(100);
    expect(sendingTimes(test, 10_000)).toEqual([0, 500, 4_500, 8_500]);
  });

  it('timer K: a final response is reported once, and retransmissions are absorbed for T4', () => {
    const test = start('BYE');
    test.begin();
    test.receive(200);
    test.receive(200);
    expect(test.log).toEqual(['200']);
    test.clock.turn(4_999);
    expect(test.isOver()).toBe(false);
    test.clock.turn(1);
    expect(test.isOver()).toBe(true);
  });
});
