import type { Database, PrismaClient } from '@outdial/persistence';
import type { Process } from '../world/process.ts';
import type { Wire } from '../world/wire.ts';
import type { SimulatedPostgres } from './simulated-postgres.ts';

export interface DatabaseLinkInput {
  readonly wire: Wire;
  readonly process: Process;
  readonly database: Database;
  readonly postgres: SimulatedPostgres;
  /** Runs a statement when it arrives. */
  readonly around: (statement: SentStatement, run: () => Promise<unknown>) => Promise<unknown>;
  /** Called when Postgres rejects a write: a rule of the schema had to step in. */
  readonly onRefused: (reason: string) => void;
}

export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The product's database as one process sees it: every statement waits on the wire. */
export function databaseLink(input: DatabaseLinkInput): Database {
  const { database, wire, process } = input;
  const ping = () => wire.send(process, 'postgres', 'ping', async () => {});
  return { ...database, ping, hot: clientLink(input, database.hot), side: clientLink(input, database.side) };
}

function clientLink(
  { wire, process, postgres, around, onRefused }: DatabaseLinkInput,
  client: PrismaClient,
): PrismaClient {
  function sendBy(method: '$queryRaw' | '$executeRaw') {
    return (statement: TemplateStringsArray, ...values: readonly unknown[]) =>
      wire.send(process, 'postgres', titleOf(statement), async () => {
        await postgres.tellTime();
        try {
          return await around({ text: statement.join('?'), values }, () => client[method](statement, ...values));
        } catch (error) {
          const reason = refusalOf(error);
          if (reason !== null) onRefused(`${titleOf(statement)}: ${reason}`);
          throw error;
        }
      });
  }
  const links = { $queryRaw: sendBy('$queryRaw'), $executeRaw: sendBy('$executeRaw') };
  return new Proxy(client, {
    get: (target, key): unknown => (key in links ? Reflect.get(links, key) : Reflect.get(target, key)),
  });
}

/** A rejection of the data itself (SQLSTATE classes 22 and 23), as Prisma's message quotes it. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return /Code: `2[23]\w{3}`[^]*/.exec(error.message)?.[0] ?? null;
}

/** A statement's title: the functions and tables that it names first. */
function titleOf(statement: TemplateStringsArray): string {
  const text = statement.join('?');
  const names = text.match(/\b(?:FROM|INSERT INTO|UPDATE) +[a-z_]+/g) ?? [];
  return names.filter((name) => !/ (?:jsonb_to_recordset|input|locked|due)$/.test(name)).slice(-1)[0] ?? 'a statement';
}
