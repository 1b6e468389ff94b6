import { VERIFY_FAULTS } from './faults/faults.ts';
import { testFaults } from './testing/test-faults.ts';

testFaults(
  VERIFY_FAULTS.filter(({ carrier }) => carrier === 'simulated'),
  'simulated',
);
