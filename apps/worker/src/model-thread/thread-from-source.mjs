// Node 20 does not accept a TypeScript file as a thread's entry, whatever loader it is started with. In development and
// in tests the thread starts here, registers the loader and continues in the source. The build omits this file.
import { register } from 'tsx/esm/api';

register();
await import('./model-thread.ts');
