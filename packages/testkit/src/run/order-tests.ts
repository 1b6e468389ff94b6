/** The properties of a test file that decide its place in the run. */
export interface OrderedTest {
  readonly groupOrder: number;
  readonly project: string;
  /** Whether it gets its own process. */
  readonly isolate: boolean;
  readonly durationMs: number;
}

/**
 * The order in which free workers take the files. Within a group the longest come first, so that short ones fill the
 * gaps at the end.
 *
 * Files with their own process come before the others, mixed across projects. The others stay together by project,
 * starting with the project of the longest file, because a shared process ends when the next file belongs to another
 * project.
 */
export function orderTests<T extends OrderedTest>(tests: readonly T[]): T[] {
  const longest = new Map<string, number>();
  for (const { project, durationMs } of tests) longest.set(project, Math.max(longest.get(project) ?? 0, durationMs));
  const rank = ({ isolate, project }: T): number => (isolate ? Number.POSITIVE_INFINITY : (longest.get(project) ?? 0));
  return tests.toSorted(
    (left, right) =>
      left.groupOrder - right.groupOrder ||
      // Not by subtraction: the rank of an isolated file is infinite.
      (rank(left) === rank(right) ? 0 : rank(right) > rank(left) ? 1 : -1) ||
      (left.isolate ? 0 : left.project.localeCompare(right.project)) ||
      right.durationMs - left.durationMs,
  );
}
