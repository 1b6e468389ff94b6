import type { CallId } from '@outdial/contracts';
import type { Database } from '../src/index.ts';

type Row = Readonly<Record<string, unknown>>;

/** The columns of `calls` in which a call differs after the work. */
export async function columnsChangedBy({ hot }: Database, id: CallId, work: () => Promise<unknown>) {
  const read = async (): Promise<Row> => {
    const rows = await hot.$queryRaw<{ row: Row }[]>`SELECT to_jsonb(c) AS row FROM calls c WHERE c.id = ${id}::uuid`;
    return rows[0]?.row ?? {};
  };
  const before = await read();
  await work();
  const after = await read();
  return Object.keys(after).filter((column) => JSON.stringify(after[column]) !== JSON.stringify(before[column]));
}

/** The indexes of `calls` that one of these columns belongs to: as a key, included, or in an expression or predicate. */
export async function indexesOn({ hot }: Database, columns: Iterable<string>): Promise<readonly string[]> {
  const rows = await hot.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT i.indexrelid::regclass::text AS name
    FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid
    WHERE i.indrelid = 'calls'::regclass AND a.attname = ANY (${[...columns]}::text[])
      AND (a.attnum = ANY (i.indkey) OR EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid
          AND d.refobjid = i.indrelid AND d.refobjsubid = a.attnum))
    ORDER BY 1`;
  return rows.map(({ name }) => name);
}

/** All columns of `calls`. */
export async function callColumns({ hot }: Database): Promise<readonly string[]> {
  const rows = await hot.$queryRaw<{ name: string }[]>`
    SELECT attname::text AS name FROM pg_attribute
    WHERE attrelid = 'calls'::regclass AND attnum > 0 AND NOT attisdropped`;
  return rows.map(({ name }) => name);
}
