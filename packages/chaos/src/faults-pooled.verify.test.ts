import { POOLED_FAULTS } from './faults/faults.ts';
import { testFaults } from './testing/test-faults.ts';

testFaults(POOLED_FAULTS, 'simulated', { layout: 'pooled', apiCount: 3, workerCount: 2 });
