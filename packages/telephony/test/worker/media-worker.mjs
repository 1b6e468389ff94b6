// Node 20 does not accept a TypeScript file as a thread's entry, whatever its loader is.
import { register } from 'tsx/esm/api';

register();
await import('./media-worker.ts');
