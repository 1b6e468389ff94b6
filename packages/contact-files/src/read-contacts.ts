import { setImmediate as nextTurn } from 'node:timers/promises';
import { CAMPAIGN_LIMITS } from '@outdial/contracts';
import { contactColumns, type ColumnsInput } from './contact-columns.ts';
import { contactReader, type Contact, type ContactProblem, type ContactRules } from './contact-reader.ts';
import { ContactFileRefused } from './file-refusal.ts';
import { readRows } from './read-rows.ts';

export interface ContactBatch {
  readonly contacts: readonly Contact[];
  readonly problems: readonly ContactProblem[];
  /** Lines that are no contact; a line may have several problems. */
  readonly invalid: number;
}

export type ContactFileInput = ColumnsInput & ContactRules;

/** Of more, the JSON of a batch is an object that the garbage collector gives its own page. */
export const MOST_LINES_OF_A_BATCH = 500;
const MOST_CHARACTERS_OF_A_BATCH = 1_000_000;
/** Read without a pause: a number takes some 15 µs. */
const ROWS_BETWEEN_TURNS = 100;

/**
 * The contacts of a CSV file while it arrives, in batches of at most `MOST_LINES_OF_A_BATCH` lines, the last one perhaps empty.
 * It is read no faster than the batches are taken. A number that comes twice is twice a contact.
 *
 * @throws ContactFileRefused at any moment: what came before belongs to no whole file
 */
export async function* readContacts(
  chunks: AsyncIterable<Uint8Array>,
  input: ContactFileInput,
): AsyncGenerator<ContactBatch> {
  let read: ReturnType<typeof contactReader> | undefined;
  let batch = emptyBatch();
  let lines = 0;
  for await (const rows of readRows(chunks)) {
    for (const row of rows) {
      if (read === undefined) {
        read = contactReader(contactColumns(row, input), input);
        continue;
      }
      lines += 1;
      if (lines > CAMPAIGN_LIMITS.contacts) throw tooManyLines(row.line);
      add(batch, row.cells, read(row));
      if (lines % ROWS_BETWEEN_TURNS === 0) await nextTurn();
      if (!isFull(batch)) continue;
      yield batch;
      batch = emptyBatch();
    }
  }
  if (read === undefined) throw new ContactFileRefused('body', 'has no header: its first line must name the columns');
  yield batch;
}

interface FilledBatch {
  readonly contacts: Contact[];
  readonly problems: ContactProblem[];
  invalid: number;
  characters: number;
}

const emptyBatch = (): FilledBatch => ({ contacts: [], problems: [], invalid: 0, characters: 0 });

function add(
  batch: FilledBatch,
  cells: readonly string[],
  reading: ReturnType<ReturnType<typeof contactReader>>,
): void {
  for (const cell of cells) batch.characters += cell.length;
  if ('contact' in reading) {
    batch.contacts.push(reading.contact);
    return;
  }
  batch.invalid += 1;
  batch.problems.push(...reading.problems);
}

function isFull({ contacts, invalid, characters }: FilledBatch): boolean {
  return contacts.length + invalid >= MOST_LINES_OF_A_BATCH || characters >= MOST_CHARACTERS_OF_A_BATCH;
}

function tooManyLines(line: number): ContactFileRefused {
  return new ContactFileRefused(
    'body',
    `has more than ${CAMPAIGN_LIMITS.contacts} contacts, in line ${line}: divide it among campaigns`,
  );
}
