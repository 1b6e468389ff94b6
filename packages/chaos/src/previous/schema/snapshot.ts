import type { SchemaItems } from './schema-items.ts';

/** The schema of a commit, and what of it the code of that commit names. */
export interface Snapshot {
  readonly commit: string;
  readonly items: ReadonlyMap<string, SnapshotItem>;
}

export interface SnapshotItem {
  readonly definition: string;
  /** An item that the code does not name may go. */
  readonly isUsed: boolean;
}

const UNUSED = 'unused ';
const HEADING = /^# The schema of (?<commit>[0-9a-f]{40})/;
const LINE = /^(?<unused>unused )?(?<name>(?:column|label|function) .+?): (?<definition>.+)$/;

/** @param words that the code of the commit contains */
export function takeSnapshot(commit: string, items: SchemaItems, words: ReadonlySet<string>): Snapshot {
  const kept = [...items].map(([name, item]) => {
    const isUsed = item.words.every((word) => words.has(word));
    return [name, { definition: item.definition, isUsed }] as const;
  });
  return { commit, items: new Map(kept) };
}

export function formatSnapshot({ commit, items }: Snapshot): string {
  const heading = `# The schema of ${commit}, written by "npm run rolling-from". Code of that commit does not name what is unused.`;
  const lines = [...items].map(([name, { definition, isUsed }]) => `${isUsed ? '' : UNUSED}${name}: ${definition}`);
  return `${[heading, ...lines].join('\n')}\n`;
}

/** @throws if the text is not what `formatSnapshot` returns */
export function parseSnapshot(text: string): Snapshot {
  const [heading = '', ...lines] = text.trimEnd().split('\n');
  const commit = HEADING.exec(heading)?.groups?.['commit'];
  if (commit === undefined) throw new Error(`The first line of the snapshot names no commit: ${heading}`);
  return { commit, items: new Map(lines.map(parseLine)) };
}

function parseLine(line: string): readonly [string, SnapshotItem] {
  const { unused, name, definition } = LINE.exec(line)?.groups ?? {};
  if (name === undefined || definition === undefined)
    throw new Error(`A line of the snapshot is not readable: ${line}`);
  return [name, { definition, isUsed: unused === undefined }];
}
