import { VERIFY_FAULTS } from './faults/faults.ts';
import { testFaults } from './testing/test-faults.ts';

// In one file, and so one after the other: faults strike at moments of real time.
testFaults(
  VERIFY_FAULTS.filter(({ carrier }) => carrier === 'simulated'),
  'simulated',
);
