/** The steps to undo, newest first: nothing is removed while something still depends on it. */
export interface Cleanup {
  add(undo: () => Promise<void>): void;
  /** The same for instant steps, which the stop does not report. */
  addSilent(undo: () => Promise<void>): void;
  /** Whether there is anything but silent steps to undo. */
  isWork(): boolean;
  /** Runs all steps, even when some fail. Returns the errors. */
  run(): Promise<readonly unknown[]>;
}

export function createCleanup(): Cleanup {
  const undos: { readonly undo: () => Promise<void>; readonly isSilent: boolean }[] = [];
  return {
    add: (undo) => void undos.push({ undo, isSilent: false }),
    addSilent: (undo) => void undos.push({ undo, isSilent: true }),
    isWork: () => undos.some(({ isSilent }) => !isSilent),
    async run() {
      const failures: unknown[] = [];
      for (let last = undos.pop(); last; last = undos.pop()) {
        await last.undo().catch((error: unknown) => failures.push(error));
      }
      return failures;
    },
  };
}
