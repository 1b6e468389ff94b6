import { e164Schema } from './e164.ts';

/**
 * The test numbers and their callees. The numbers are fictional: the North American plan keeps the 555-01xx block free.
 * `persona` is the behavior of the simulated telephone network, `behaviour` its description for people.
 */
const CALLEES = [
  ['0100', 'friendly', 'answers after a second and has a conversation'],
  ['0101', 'busy', 'is busy'],
  ['0102', 'never_answers', 'rings and never answers'],
  ['0103', 'declines', 'declines'],
  ['0104', 'not_in_service', 'is not in service'],
  ['0105', 'impatient', 'answers and hangs up after three seconds'],
  ['0106', 'voicemail', 'goes to voicemail'],
  ['0107', 'screening', 'screens the call: asks who is calling, then hangs up'],
  ['0108', 'silent', 'answers and stays silent'],
  ['0109', 'congested', 'is congested'],
  ['0110', 'slow', 'is slow: answers after eight seconds'],
  ['0111', 'menu', 'has a phone menu that expects the digit 1'],
  ['0112', 'unreachable', 'does not respond'],
  ['0113', 'talks_over', 'talks over the agent'],
  ['0114', 'holds', 'puts the call on hold and comes back'],
  ['0115', 'opts_out', 'presses 9 after the greeting'],
  ['0116', 'objects', 'asks not to be called again'],
  ['0117', 'refuses_transfer', 'has a conversation; its network declines to transfer it'],
  ['0118', 'forbids_transfer', 'has a conversation; its network knows no transfers'],
  ['0119', 'ignores_transfer', 'has a conversation; its network accepts a transfer and does nothing'],
] as const;

export type SimulatedPersona = (typeof CALLEES)[number][1];

export const SIMULATED_NUMBERS = CALLEES.map(([lastDigits, persona, behaviour]) => ({
  number: e164Schema.parse(`+1202555${lastDigits}`),
  persona,
  behaviour,
}));
