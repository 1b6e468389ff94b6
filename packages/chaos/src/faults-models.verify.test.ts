import { MODEL_FAULTS } from './faults/faults.ts';
import { testFaults } from './testing/test-faults.ts';

// Beside the other faults, on a separate stack: most of the time all wait for conversations to end.
testFaults(MODEL_FAULTS, 'sip');
