import { systemClock } from '@outdial/kernel';
import { dialRequest } from '@outdial/telephony/testing';
import { createSimulatedCarrier } from '../src/carrier/simulated-carrier.ts';

/** A process with one simulated leg that is up: prints its dialog, and a line when it has ended. */
const carrier = createSimulatedCarrier({
  clock: systemClock,
  media: { kind: 'off', speed: 1 },
  onError: (error) => process.stderr.write(String(error)),
});
const stay = setInterval(() => undefined, 60_000);
carrier.dial(dialRequest('+12025550102', { ringTimeoutMs: 600_000 })).listen((event) => {
  if (event.kind === 'dialog') process.stdout.write(`${JSON.stringify(event.dialog)}\n`);
  if (event.kind !== 'ended') return;
  process.stdout.write('left\n');
  clearInterval(stay);
});
