import { fileURLToPath } from 'node:url';

const ROOT_URL = new URL('../../../', import.meta.url);

/**
 * Node's arguments that start a service as production does, from its compiled JavaScript.
 *
 * @param source of its program, from the repository's root: `apps/api/src/main.ts`.
 */
export function serviceArgs(source: string): readonly string[] {
  const built = source.replace('/src/', '/dist/').replace(/\.ts$/, '.js');
  return [fileURLToPath(new URL(built, ROOT_URL))];
}
