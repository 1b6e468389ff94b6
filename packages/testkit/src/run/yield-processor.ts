import { constants, setPriority } from 'node:os';

/** Before each file of tests that only compute: they and their processes take what the tests beside them leave. */
setPriority(constants.priority.PRIORITY_LOW);
