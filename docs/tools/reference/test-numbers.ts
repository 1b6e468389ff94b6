import { SIMULATED_NUMBERS } from '@outdial/contracts';
import { code, table } from './table.ts';

export function testNumbersPage(): string {
  return [
    '# Test numbers',
    'A simulated telephone network answers these numbers. `npm start` connects it as the trunk `callee` over real SIP and RTP. With `OUTDIAL_CARRIER=simulated` the same numbers live inside the worker. No real telephone rings.',
    table(
      ['Number', 'The callee …'],
      SIMULATED_NUMBERS.map(({ number, behaviour }) => [code(number), behaviour]),
    ),
    'The same last seven digits behind any other area code of North America are answered alike, such as `+13035550101`: a campaign finds as many callees as it needs.',
    'Every other number is unassigned and ends `invalid_destination`.',
    '`OUTDIAL_CARRIER=simulated OUTDIAL_SIMULATED_SPEED=10 npm start` runs the network ten times as fast.',
  ].join('\n\n');
}
