import { REPLICATED_FAULTS } from './faults/faults.ts';
import { testFaults } from './testing/test-faults.ts';

// No fault here strikes a worker: one suffices.
testFaults(REPLICATED_FAULTS, 'simulated', { layout: 'replicated', workerCount: 1 });
