import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { schemaDrift } from './schema-drift.ts';
import { testServerUrl } from './testing/server.ts';

test('the migrations produce what schema.prisma declares', async () => {
  expect(await schemaDrift({ databaseUrl: testServerUrl() })).toEqual({ differences: [] });
});

test('every kind of difference is reported', async () => {
  const differences = await driftBetween(
    `CREATE TYPE colour AS ENUM ('red', 'blue');
     CREATE TABLE things (
       id INT NOT NULL, name TEXT, made_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(), colour colour NOT NULL, extra INT,
       CONSTRAINT things_pkey PRIMARY KEY (id));
     CREATE INDEX things_extra_idx ON things (extra);`,
    `model Thing {
       id     Int      @id
       name   String
       madeAt DateTime @default(now()) @map("made_at") @db.Timestamptz(3)
       colour Colour
       size   Int      @unique(map: "things_size_key")
       @@map("things")
     }
     enum Colour {
       red
       green
       @@map("colour")
     }`,
  );
  expect(differences).toEqual([
    'column things.name: the migrations produce «text», schema.prisma declares «text NOT NULL»',
    'column things.size: only schema.prisma has it (integer NOT NULL)',
    'enum colour: the migrations produce «red, blue», schema.prisma declares «red, green»',
    'index things_size_key: only schema.prisma has it (CREATE UNIQUE INDEX things_size_key ON public.things USING btree (size))',
    'column things.extra: only the migrations have it (integer)',
    'index things_extra_idx: only the migrations have it (CREATE INDEX things_extra_idx ON public.things USING btree (extra))',
  ]);
});

test('objects that Prisma cannot express are ignored', async () => {
  const differences = await driftBetween(
    `CREATE TABLE things (id INT NOT NULL CHECK (id > 0), CONSTRAINT things_pkey PRIMARY KEY (id));
     CREATE INDEX things_partial ON things (id) WHERE id > 10;
     CREATE INDEX things_expression ON things ((id % 10));
     CREATE INDEX things_covering ON things (id) INCLUDE (id);
     CREATE INDEX things_summarised ON things USING brin (id) WITH (pages_per_range = 32);
     CREATE FUNCTION one() RETURNS INT LANGUAGE sql AS 'SELECT 1';`,
    `model Thing {
       id Int @id
       @@map("things")
     }`,
  );
  expect(differences).toEqual([]);
});

test('a default may call a function of the migrations, and another default is reported', async () => {
  const sql = `CREATE FUNCTION one() RETURNS INT LANGUAGE sql AS 'SELECT 1';
     CREATE TABLE things (id INT NOT NULL DEFAULT one(), CONSTRAINT things_pkey PRIMARY KEY (id));`;
  expect(await driftBetween(sql, withDefault('one()'))).toEqual([]);
  expect(await driftBetween(sql, withDefault('(one() + 1)'))).toEqual([
    'column things.id: the migrations produce «integer NOT NULL DEFAULT one()», schema.prisma declares «integer NOT NULL DEFAULT (one() + 1)»',
  ]);
});

const withDefault = (value: string) => `model Thing {
       id Int @id @default(dbgenerated("${value}"))
       @@map("things")
     }`;

async function driftBetween(sql: string, models: string): Promise<readonly string[]> {
  const dir = await mkdtemp(join(tmpdir(), 'outdial-drift-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const migrationsDir = join(dir, 'migrations');
  const migration = join(migrationsDir, '20260101000000_init');
  await mkdir(migration, { recursive: true });
  await writeFile(join(migration, 'migration.sql'), sql);
  const schemaPath = join(dir, 'schema.prisma');
  await writeFile(schemaPath, `datasource db {\n  provider = "postgresql"\n}\n${models}\n`);
  const { differences } = await schemaDrift({ databaseUrl: testServerUrl(), migrationsDir, schemaPath });
  return differences;
}
