import { fileURLToPath } from 'node:url';

/** The compiled JavaScript of a source: it starts without a TypeScript loader. */
export function builtPath(source: URL): string {
  return fileURLToPath(source).replace('/src/', '/dist/').replace(/\.ts$/, '.js');
}
