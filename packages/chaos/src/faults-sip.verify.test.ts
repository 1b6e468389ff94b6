import { VERIFY_FAULTS } from './faults/faults.ts';
import { testFaults } from './testing/test-faults.ts';

// Beside those of the simulated network, on a separate stack: most of the time both wait for leases to expire.
testFaults(
  VERIFY_FAULTS.filter(({ carrier }) => carrier === 'sip'),
  'sip',
);
