import { modelThreadKilled } from './faults/model-thread-killed.ts';
import { testFaults } from './testing/test-faults.ts';

// The one that a provider's faults, which tests of single calls bring about, do not cover. `npm run chaos` has all of them.
testFaults([modelThreadKilled], 'sip');
