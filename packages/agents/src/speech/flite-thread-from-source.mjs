// Node 20 does not accept a TypeScript file as a worker's entry, with any loader: in development and in tests the thread
// starts here, registers the loader and continues in the source. The build omits this file.
import { register } from 'tsx/esm/api';

register();
await import('./flite-thread.ts');
