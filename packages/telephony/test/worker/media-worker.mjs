// Node 20 does not take a TypeScript file for a thread's entry, whatever loader it is started with.
import { register } from 'tsx/esm/api';

register();
await import('./media-worker.ts');
