import type { Plugin } from 'vite';

/**
 * Stops the build where chunks import each other. The one that runs first would read the constants of the other
 * before they are set, as `undefined`, and compute with them from then on.
 */
export function refuseCircularChunks(): Plugin {
  return {
    name: 'refuse-circular-chunks',
    generateBundle(_, bundle) {
      const importsOf = new Map<string, readonly string[]>();
      for (const file of Object.values(bundle)) if (file.type === 'chunk') importsOf.set(file.fileName, file.imports);
      const circle = findCircle(importsOf);
      if (circle) this.error(`Chunks import each other: ${circle.join(' → ')}. Change the groups of codeSplitting.`);
    },
  };
}

/** A path of imports that ends where it began. Null where there is none. */
export function findCircle(importsOf: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const passed = new Set<string>();
  const walk = (file: string, path: readonly string[]): readonly string[] | null => {
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    if (passed.has(file)) return null;
    passed.add(file);
    for (const imported of importsOf.get(file) ?? []) {
      const circle = walk(imported, [...path, file]);
      if (circle) return circle;
    }
    return null;
  };
  for (const file of importsOf.keys()) {
    const circle = walk(file, []);
    if (circle) return circle;
  }
  return null;
}
