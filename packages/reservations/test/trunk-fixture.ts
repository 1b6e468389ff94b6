import { micros, trunkNameSchema, type AccountId, type CallId } from '@outdial/contracts';
import type { Gate, ReserveInput, TrunkLimits, TrunkChannels } from '@outdial/calls';
import { limitsOf, newAccountId, newCallId, newReservationId, openGate, TIMELINE } from '@outdial/calls/testing';

/** A trunk; by default at a pace that no test can exceed. */
export const trunk = (name: string, channels: number, callsPerSecond = 1_000_000): TrunkLimits => ({
  name: trunkNameSchema.parse(name),
  channels,
  callsPerSecond,
});

export const TOKEN = { generation: 1, walTimeline: TIMELINE };

/** An open gate with one rich account and restored channels, none of them taken. */
export async function openWithChannels(gate: Gate, channels: TrunkChannels): Promise<AccountId> {
  const accountId = newAccountId();
  await openGate(gate, { accounts: [limitsOf(accountId, { capacity: 1_000 })] });
  await channels.restore(TOKEN, []);
  return accountId;
}

export async function reserved(gate: Gate, accountId: AccountId, callId: CallId = newCallId()): Promise<ReserveInput> {
  const input = { callId, accountId, reservationId: newReservationId(), holdMicros: micros(1) };
  const outcome = await gate.reserve(input);
  if (outcome.kind !== 'reserved') throw new Error(`not reserved: ${outcome.kind}`);
  return input;
}
