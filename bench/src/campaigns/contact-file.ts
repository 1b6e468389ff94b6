const NAMES = [
  'Ada Lovelace',
  'Ben Okri',
  'Chloé Dupont',
  'Daniel García',
  'Eve Adams',
  'Farid Haddad',
  'Grace Hopper',
];
const CITIES = ['Boston', 'Chicago', 'Denver', 'El Paso', 'Fresno', 'New York', 'San José', 'Washington, D.C.'];
const LINES_OF_A_CHUNK = 1_000;
const FIRST_NUMBER = 2_020_000_000;

export type NumberForm = 'international' | 'national';

/** Maps the four columns of a file: the number, two variables, one field of metadata. */
export const FILE_COLUMNS = {
  to_number: 'Phone',
  variables: { name: 'Name', city: 'City' },
  metadata: { crm_id: 'ID' },
};

/** A file of so many different contacts, in chunks of some 50 KB. */
export function contactFile(lines: number, form: NumberForm = 'international'): readonly Uint8Array[] {
  const chunks = [Buffer.from('Phone,Name,City,ID\r\n')];
  for (let from = 0; from < lines; from += LINES_OF_A_CHUNK) {
    const length = Math.min(LINES_OF_A_CHUNK, lines - from);
    chunks.push(Buffer.from(Array.from({ length }, (_, at) => lineOf(from + at, form)).join('')));
  }
  return chunks;
}

function lineOf(at: number, form: NumberForm): string {
  // Every order of numbers: a list is rarely sorted by them.
  const digits = String(FIRST_NUMBER + ((at * 7_919) % 1_000_003) * 7);
  const number =
    form === 'international' ? `+1${digits}` : `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
  const city = CITIES[at % CITIES.length] ?? '';
  return `${number},${NAMES[at % NAMES.length]},${city.includes(',') ? `"${city}"` : city},c-${100_000 + at}\r\n`;
}
