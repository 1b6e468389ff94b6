import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT_DIR = fileURLToPath(new URL('../../../..', import.meta.url));
const END_WITH_PARENT = new URL('../../bootstrap/end-with-parent.mjs', import.meta.url).href;

export type ServiceName = 'api' | 'worker' | 'callee' | 'models';

/** Node's arguments for a compiled program of a service, which ends when its parent is gone. */
export function programArgs(service: ServiceName, program: 'main' | 'check-config'): readonly string[] {
  const path = join(ROOT_DIR, 'apps', service, 'dist', `${program}.js`);
  return ['--enable-source-maps', `--import=${END_WITH_PARENT}`, path];
}
