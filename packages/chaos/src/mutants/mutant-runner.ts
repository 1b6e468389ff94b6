import type { Servers } from '../model/stores/open-stores.ts';
import type { Mutant } from './mutant.ts';
import { MutatedDatabases } from './mutated-databases.ts';
import { mutatedProgram, type MutatedProgram } from './mutated-program.ts';
import { Programs } from './programs.ts';
import { toRun, type Broken, type Task } from './task.ts';

/** Runs mutants on these servers, one after the other. */
export class MutantRunner {
  readonly #databases: MutatedDatabases;
  readonly #programs = new Programs();
  /** For all mutants that change only the database. */
  #unchanged: Promise<MutatedProgram> | null = null;

  /** @param pair see `openStores` */
  constructor(servers: Servers, pair: number) {
    this.#databases = new MutatedDatabases(servers, pair);
  }

  /**
   * Null if no promise broke.
   *
   * @param search looks for a seed among so many, instead of the known one
   */
  async run(mutant: Mutant, search?: number): Promise<Broken | null> {
    const inDatabase = mutant.patches.filter(({ file }) => file.startsWith('prisma/'));
    const inProgram = mutant.patches.filter((patch) => !inDatabase.includes(patch));
    const isDrill = mutant.drill !== undefined;
    return this.#with(inProgram, (program) =>
      this.#databases.with({ patches: inDatabase, isEmptied: !isDrill }, (stores) => {
        const task = { stores, proof: toRun(mutant, search) };
        return isDrill ? runAlone(program, task) : this.#programs.run(program, task);
      }),
    );
  }

  async close(): Promise<void> {
    await this.#programs.close();
    await (await this.#unchanged)?.remove();
  }

  async #with<Result>(
    patches: Mutant['patches'][number][],
    work: (program: string) => Promise<Result>,
  ): Promise<Result> {
    if (patches.length === 0) return work((await (this.#unchanged ??= mutatedProgram([]))).url);
    const program = await mutatedProgram(patches);
    try {
      return await work(program.url);
    } finally {
      await program.remove();
    }
  }
}

/** Drills leave timers and sockets of real time behind. */
async function runAlone(program: string, task: Task): Promise<Broken | null> {
  const programs = new Programs();
  try {
    return await programs.run(program, task);
  } finally {
    await programs.close();
  }
}
