// Runs a bundled service from code that V8 has compiled before: compiling takes almost half of a start.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import { Script } from 'node:vm';

const importModule = (specifier) => import(specifier);

/**
 * The work after which V8 compiles a function of WebAssembly again, optimized: 500 times the default. Services of tests
 * live for seconds, and a quarter of the processor time of a start went into the query compiler of Prisma. With a tenth
 * of this budget it was still compiled.
 */
v8.setFlagsFromString('--wasm-tiering-budget=1000000000');

/**
 * `url` is of a bundle in CommonJS. V8 ignores code that does not fit its version or its flags. OUTDIAL_COMPILED=keep
 * ends right after the bundle is loaded, and keeps the compiled code beside it; `check` ends with an error if V8 ignores
 * that code.
 */
export function runBundle(url) {
  const filename = fileURLToPath(url);
  const compiledPath = `${filename}.compiled`;
  const task = process.env.OUTDIAL_COMPILED;
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname, outdialImport) { ${readFileSync(filename, 'utf8')}\n})`,
    { filename, cachedData: task !== 'keep' && existsSync(compiledPath) ? readFileSync(compiledPath) : undefined },
  );
  if (task === 'check') process.exit(script.cachedDataRejected === false ? 0 : 1);
  // A service may set flags, and a start begins without them.
  if (task === 'keep') v8.setFlagsFromString = () => {};
  const module = { exports: {} };
  const load = script.runInThisContext();
  load(module.exports, createRequire(filename), module, filename, dirname(filename), importModule);
  if (task !== 'keep') return;
  writeFileSync(compiledPath, script.createCachedData());
  process.exit();
}
