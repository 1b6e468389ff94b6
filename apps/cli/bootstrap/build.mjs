// Compiles the sources that have changed since the last build, without checking types.
import { ensureBuilt } from './ensure-built.mjs';

await ensureBuilt();
