/** A test file, as far as its place in the run depends on it. */
export interface OrderedTest {
  readonly groupOrder: number;
  readonly project: string;
  /** Whether it gets a process of its own. */
  readonly isolate: boolean;
  readonly durationMs: number;
}

/**
 * The order in which free workers take the files. Within a group the longest come first, so that short ones fill the
 * gaps at the end.
 *
 * Files with a process of their own come before the others, those of all projects mixed. The others stay together by
 * project, the project of the longest file first: a shared process ends when the next file is of another project.
 */
export function orderTests<T extends OrderedTest>(tests: readonly T[]): T[] {
  const longest = new Map<string, number>();
  for (const { project, durationMs } of tests) longest.set(project, Math.max(longest.get(project) ?? 0, durationMs));
  const rank = ({ isolate, project }: T): number => (isolate ? Number.POSITIVE_INFINITY : (longest.get(project) ?? 0));
  return tests.toSorted(
    (left, right) =>
      left.groupOrder - right.groupOrder ||
      // Not by subtraction: the rank of two isolated files is infinite.
      (rank(left) === rank(right) ? 0 : rank(right) > rank(left) ? 1 : -1) ||
      (left.isolate ? 0 : left.project.localeCompare(right.project)) ||
      right.durationMs - left.durationMs,
  );
}
