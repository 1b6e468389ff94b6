import { e164Schema, type ServiceBody } from '@outdial/contracts';

/** Who answers behind the numbers of the simulated telephone network. */
const BEHAVIOURS: readonly (readonly [lastDigits: string, behaviour: string])[] = [
  ['0100', 'answers after a second and has a conversation'],
  ['0101', 'is busy'],
  ['0102', 'rings and never answers'],
  ['0103', 'declines'],
  ['0104', 'is not in service'],
  ['0105', 'answers and hangs up after three seconds'],
  ['0106', 'is a voicemail'],
  ['0107', 'screens calls: asks who is calling, then hangs up'],
  ['0108', 'answers and stays silent'],
  ['0109', 'has congestion on the line'],
  ['0110', 'is slow: answers after eight seconds'],
  ['0111', 'is a menu that wants the digit 1'],
  ['0112', 'gives no sign at all'],
  ['0113', 'talks over the agent'],
  ['0114', 'puts the call on hold and comes back'],
];

export const TEST_NUMBERS: ServiceBody['test_numbers'] = BEHAVIOURS.map(([lastDigits, behaviour]) => ({
  number: e164Schema.parse(`+1202555${lastDigits}`),
  behaviour,
}));
