/** What has to be undone, the last made first: nothing is taken away that something else still stands on. */
export interface Cleanup {
  add(undo: () => Promise<void>): void;
  /** The same for what is done in no time: it is no work that a person should hear of. */
  addTrifle(undo: () => Promise<void>): void;
  /** Whether anything but trifles has to be undone. */
  isWork(): boolean;
  /** Undoes everything, also when a part of it fails. Gives back what failed. */
  run(): Promise<readonly unknown[]>;
}

export function createCleanup(): Cleanup {
  const undos: { readonly undo: () => Promise<void>; readonly isTrifle: boolean }[] = [];
  return {
    add: (undo) => void undos.push({ undo, isTrifle: false }),
    addTrifle: (undo) => void undos.push({ undo, isTrifle: true }),
    isWork: () => undos.some(({ isTrifle }) => !isTrifle),
    async run() {
      const failures: unknown[] = [];
      for (let last = undos.pop(); last; last = undos.pop()) {
        await last.undo().catch((error: unknown) => failures.push(error));
      }
      return failures;
    },
  };
}
