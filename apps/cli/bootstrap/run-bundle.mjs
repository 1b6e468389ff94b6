// Runs a bundled service from code that V8 has compiled before: compiling takes almost half of a start.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const importModule = (specifier) => import(specifier);

/**
 * `url` is of a bundle in CommonJS. With OUTDIAL_KEEP_COMPILED it ends right after it has loaded the bundle, and keeps
 * the compiled code beside it. V8 ignores code that does not fit its version or its flags.
 */
export function runBundle(url) {
  const filename = fileURLToPath(url);
  const compiledPath = `${filename}.compiled`;
  const keepsCompiled = process.env.OUTDIAL_KEEP_COMPILED !== undefined;
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname, outdialImport) { ${readFileSync(filename, 'utf8')}\n})`,
    {
      filename,
      cachedData: !keepsCompiled && existsSync(compiledPath) ? readFileSync(compiledPath) : undefined,
    },
  );
  const module = { exports: {} };
  const load = script.runInThisContext();
  load(module.exports, createRequire(filename), module, filename, dirname(filename), importModule);
  if (!keepsCompiled) return;
  writeFileSync(compiledPath, script.createCachedData());
  process.exit();
}
