import { CAMPAIGN_AND_WEBHOOK_FAULTS } from './faults/faults.ts';
import { testFaults } from './testing/test-faults.ts';

// Beside the other faults, on a separate stack: most of the time all wait for leases to expire.
testFaults(CAMPAIGN_AND_WEBHOOK_FAULTS, 'simulated');
