/**
 * Calls everyone in a CSV file, a few at a time, and prints one line for each call.
 *
 *     OUTDIAL_BASE_URL=http://127.0.0.1:3000 OUTDIAL_API_KEY=… npx tsx call-a-csv.ts people.csv <agent id>
 *
 * The file has a head: `number`, and the variables of the agent. Values have no commas. Run it again after an
 * interruption: it calls only the people whom it has not called.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CapacityExceededError, Outdial, OutdialError, type Call, type NewCall } from '@outdial/sdk';

const AT_ONCE = 5;
const BUSY_PAUSE_MS = 5_000;

const [path, agentId] = process.argv.slice(2);
if (path === undefined || agentId === undefined) {
  process.stderr.write('Usage: call-a-csv <file> <agent id>\n');
  process.exit(2);
}
const outdial = new Outdial();
const people = rowsOf(await readFile(path, 'utf8'));
// The callers share one list: each takes the next person when its call has ended.
const next = people[Symbol.iterator]();
await Promise.all(Array.from({ length: AT_ONCE }, () => callOneAfterAnother(path, agentId)));

async function callOneAfterAnother(file: string, agent: string): Promise<void> {
  for (const { number = '', ...variables } of next) {
    try {
      const call = await place(file, { to_number: number, agent_id: agent, variables });
      const ended = await call.wait();
      process.stdout.write(`${number},${ended.ended_reason},${ended.duration_seconds}\n`);
    } catch (error) {
      if (!(error instanceof OutdialError)) throw error;
      // One wrong number ends nobody else's call.
      process.stdout.write(`${number},${error.code},\n`);
    }
  }
}

/** Waits while all slots of the account are in use. */
async function place(file: string, call: NewCall): Promise<Call> {
  // The same row of the same file is the same call, however often this program runs.
  const idempotencyKey = createHash('sha256')
    .update(JSON.stringify([file, call]))
    .digest('hex');
  for (;;) {
    try {
      return await outdial.calls.create(call, { idempotencyKey });
    } catch (error) {
      if (!(error instanceof CapacityExceededError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));
    }
  }
}

function rowsOf(text: string): readonly Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(',').map((cell) => cell.trim()));
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])));
}
