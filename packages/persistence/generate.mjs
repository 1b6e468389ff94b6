// Generates Prisma's typed client into src/generated. Plain JavaScript, because it runs before the first build.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageDir = dirname(fileURLToPath(import.meta.url));
const rootDir = join(packageDir, '..', '..');
const schemaPath = join(rootDir, 'prisma', 'schema.prisma');
const generatedDir = join(packageDir, 'src', 'generated');
const stampPath = join(generatedDir, '.made-from');

const prismaPackage = createRequire(import.meta.url).resolve('prisma/package.json');

/** Hash of the client's inputs; the client is current while it stays the same. */
function source() {
  return createHash('sha256').update(readFileSync(schemaPath)).update(readFileSync(prismaPackage)).digest('hex');
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
  const result = spawnSync(process.execPath, [cli, 'generate', '--schema', schemaPath], {
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
