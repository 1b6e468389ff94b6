// Generates Prisma's typed client into src/generated. Plain JavaScript, because it runs before the first build.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageDir = dirname(fileURLToPath(import.meta.url));
const rootDir = join(packageDir, '..', '..');
const schemaPath = join(rootDir, 'prisma', 'schema.prisma');
const generatedDir = join(packageDir, 'src', 'generated');
const stampPath = join(generatedDir, '.made-from');
const cacheDir = join(rootDir, 'node_modules', '.cache', 'outdial', 'prisma');

const prismaPackage = createRequire(import.meta.url).resolve('prisma/package.json');

/** Hash of the client's inputs; the client is current while it stays the same. */
function source() {
  const inputs = [schemaPath, prismaPackage, fileURLToPath(import.meta.url)];
  return inputs.reduce((hash, path) => hash.update(readFileSync(path)), createHash('sha256')).digest('hex');
}

/**
 * Writes the schema without relations, and returns its path. No query follows a relation, and Prisma builds a graph of
 * all arguments that relations allow whenever a client is created: with them that takes three times as long.
 */
function writeSchema() {
  const schema = readFileSync(schemaPath, 'utf8');
  const models = new Set([...schema.matchAll(/^model (\w+)/gm)].map(([, name]) => name));
  const lines = schema.split('\n').filter((line) => !models.has(/^ +\w+ +(\w+)/.exec(line)?.[1]));
  const path = join(cacheDir, 'schema.prisma');
  mkdirSync(cacheDir, { recursive: true });
  const output = relative(cacheDir, generatedDir).replaceAll('\\', '/');
  writeFileSync(path, lines.join('\n').replace(/^( +output += )".*"$/m, `$1"${output}"`));
  return path;
}

function isCurrent() {
  try {
    return readFileSync(stampPath, 'utf8') === source();
  } catch {
    return false;
  }
}

function generate() {
  const cli = join(dirname(prismaPackage), 'build', 'index.js');
  const result = spawnSync(process.execPath, [cli, 'generate', '--schema', writeSchema()], {
    cwd: packageDir,
    encoding: 'utf8',
    env: {
      ...process.env,
      // `generate` requires a native schema engine, would download it, and never uses it: any executable will do.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}\n`);
    process.stderr.write(`The database client could not be generated from ${schemaPath}: fix the error above.\n`);
    process.exit(1);
  }
  mkdirSync(generatedDir, { recursive: true });
  writeFileSync(stampPath, source());
}

if (!isCurrent()) generate();
