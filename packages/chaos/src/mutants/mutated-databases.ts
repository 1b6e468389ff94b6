import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Client } from 'pg';
import { openStores, type Servers } from '../model/stores/open-stores.ts';
import type { StoreUrls } from '../model/world/world.ts';
import { mutatedFunctions } from './mutated-functions.ts';
import { applyPatch, ROOT_DIR, type Patch } from './patch.ts';

const MIGRATIONS_FOLDER = 'prisma/migrations';

interface Wanted {
  readonly patches: readonly Patch[];
  /** Whether the world of a schedule empties the database before it uses it. */
  readonly isEmptied: boolean;
}

/** Databases with changed migrations. Where only functions change, they change in a database that mutants share. */
export class MutatedDatabases {
  readonly #servers: Servers;
  readonly #pair: number;
  #shared: StoreUrls | null = null;

  /** @param pair see `openStores` */
  constructor(servers: Servers, pair: number) {
    this.#servers = servers;
    this.#pair = pair;
  }

  /** Runs `work` on a database with these changes of migrations. */
  async with<Result>({ patches, isEmptied }: Wanted, work: (stores: StoreUrls) => Promise<Result>): Promise<Result> {
    const functions = await mutatedFunctions(patches);
    if (functions === null) return work(await this.#migrated(patches));
    const stores = isEmptied ? await this.#ofAll() : await openStores(this.#servers, this.#pair);
    await replaceFunctions(stores, functions.mutated);
    try {
      return await work(stores);
    } finally {
      await replaceFunctions(stores, functions.original);
    }
  }

  async #ofAll(): Promise<StoreUrls> {
    this.#shared ??= await openStores(this.#servers, this.#pair);
    return this.#shared;
  }

  async #migrated(patches: readonly Patch[]): Promise<StoreUrls> {
    const dir = await mkdtemp(join(tmpdir(), 'outdial-migrations-'));
    try {
      await cp(join(ROOT_DIR, MIGRATIONS_FOLDER), dir, { recursive: true });
      for (const patch of patches) {
        const path = join(dir, relative(MIGRATIONS_FOLDER, patch.file));
        await writeFile(path, applyPatch(await readFile(path, 'utf8'), patch));
      }
      return await openStores(this.#servers, this.#pair, dir);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  }
}

async function replaceFunctions({ databaseUrl }: StoreUrls, definitions: readonly string[]): Promise<void> {
  if (definitions.length === 0) return;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // The world's own functions come first in the search path of its database.
    await client.query(['SET search_path = public;', ...definitions].join('\n'));
  } finally {
    await client.end();
  }
}
