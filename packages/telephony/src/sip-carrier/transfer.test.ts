import type { TransferOutcome, Trunk } from '@outdial/calls';
import { trunkOf } from '@outdial/calls/testing';
import { e164Schema, type TransferTarget } from '@outdial/contracts';
import type { IncomingReferral, IncomingSession } from '@outdial/sip';
import { afterEach, describe, expect, test } from 'vitest';
import { openCarrier, PlacedCall, TrunkPeer } from '../../test/sip-trunk.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const NUMBER: TransferTarget = { kind: 'number', number: e164Schema.parse('+12025550142') };
const URI: TransferTarget = { kind: 'uri', uri: 'sip:sales@pbx.example' };

/** An answered call over a trunk whose far end does that with a REFER. */
async function answeredCall(
  onRefer: (referral: IncomingReferral, call: IncomingSession) => void,
  changes: Partial<Trunk> = {},
) {
  const referrals: IncomingReferral[] = [];
  const peer = await TrunkPeer.open((call, { audio }) => {
    call.onRefer((referral) => {
      referrals.push(referral);
      onRefer(referral, call);
    });
    call.answer(audio);
  });
  closing.push(() => peer.close());
  const world = await openCarrier({ trunks: [trunkOf({ uri: peer.uri, transfers: 'numbers', ...changes })] });
  closing.push(() => world.close());
  const call = new PlacedCall(world);
  await call.until('answered');
  // The far end takes no request before the ACK.
  await peer.sound.received(1);
  const transfer = async (target: TransferTarget = NUMBER, timeoutMs = 5_000): Promise<TransferOutcome | undefined> => {
    call.leg.transfer({ target, timeoutMs });
    await call.until('transfer');
    return call.events.flatMap((event) => (event.kind === 'transfer' ? [event.outcome] : []))[0];
  };
  return { call, peer, referrals, transfer };
}

/** As Asterisk and FreeSWITCH do: a first report at once, and the outcome. */
const reports =
  (...statuses: readonly number[]) =>
  (referral: IncomingReferral) => {
    referral.accept();
    for (const status of statuses) referral.notify(status);
  };

describe('a transfer over a trunk', () => {
  test('names the number as the trunk dials it, and who asks', async () => {
    const { call, peer, referrals, transfer } = await answeredCall(reports(100, 180, 200), { numberFormat: 'digits' });
    expect(await transfer()).toEqual({ kind: 'transferred', sipCode: 200 });
    const host = peer.uri.replace('sip:', '');
    expect(referrals).toMatchObject([{ target: `sip:12025550142@${host}`, referredBy: `sip:12025550199@${host}` }]);
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed', by: 'us' });
  });

  test('ends by the far end’s BYE if that comes first, after its outcome', async () => {
    const { call, transfer } = await answeredCall((referral, session) => {
      reports(100, 200)(referral);
      session.hangUp();
    });
    expect(await transfer()).toEqual({ kind: 'transferred', sipCode: 200 });
    call.leg.hangUp();
    await call.end();
    expect(call.kinds.slice(-2)).toEqual(['transfer', 'ended']);
  });

  test.each([
    ['is refused', (referral: IncomingReferral) => referral.reject(603), { kind: 'refused', sipCode: 603 }],
    ['fails', reports(100, 486), { kind: 'failed', sipCode: 486 }],
    ['is never reported on', (referral: IncomingReferral) => referral.accept(), { kind: 'unreported' }],
  ] as const)('that %s leaves the call up', async (_what, onRefer, outcome) => {
    const { call, transfer } = await answeredCall(onRefer);
    expect(await transfer(NUMBER, 300)).toEqual(outcome);
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed', by: 'us' });
  });

  test.each([
    ['a number', NUMBER, 'none'],
    ['a SIP address', URI, 'numbers'],
  ] as const)('to %s is not sent where the trunk does not permit it', async (_what, target, transfers) => {
    const { call, referrals, transfer } = await answeredCall(reports(200), { transfers });
    expect(await transfer(target)).toEqual({ kind: 'not_permitted' });
    expect(referrals).toEqual([]);
    call.leg.hangUp();
    await call.end();
  });

  test('to a SIP address is sent as it is where the trunk permits it', async () => {
    const { call, referrals, transfer } = await answeredCall(reports(200), { transfers: 'any' });
    expect(await transfer(URI)).toMatchObject({ kind: 'transferred' });
    expect(referrals).toMatchObject([{ target: 'sip:sales@pbx.example' }]);
    call.leg.hangUp();
    await call.end();
  });

  test('reports nothing after the leg has ended', async () => {
    const { call } = await answeredCall(() => undefined);
    call.leg.transfer({ target: NUMBER, timeoutMs: 200 });
    call.leg.hangUp();
    await call.end();
    call.leg.transfer({ target: NUMBER, timeoutMs: 200 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(call.kinds).not.toContain('transfer');
  });
});
