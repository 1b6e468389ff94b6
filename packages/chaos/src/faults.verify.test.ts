import { describe } from 'vitest';
import { VERIFY_FAULTS } from './faults/faults.ts';
import { testFaults } from './testing/test-faults.ts';

// In one file, and so one after the other: faults strike at moments of real time.
describe.each(['simulated', 'sip'] as const)('over the carrier %s', (carrier) => {
  testFaults(
    VERIFY_FAULTS.filter((fault) => fault.carrier === carrier),
    carrier,
  );
});
