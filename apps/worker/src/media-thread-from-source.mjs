// Node 20 does not take a TypeScript file for a thread's entry, whatever loader it is started with: in development and
// in tests the thread begins here, registers the loader and goes on in the source. The build leaves this file out.
import { register } from 'tsx/esm/api';

register();
await import('./media-thread.ts');
