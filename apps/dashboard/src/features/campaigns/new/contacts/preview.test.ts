import { readHead } from '@outdial/contact-files/preview';
import { expect, test } from 'vitest';
import { NO_CONTACTS } from '../draft/contacts-draft.ts';
import { mappedTo } from '../draft/mapping.ts';
import { fileOfText, withHeader } from './pasted-text.ts';
import { tryPreview } from './preview.ts';

async function preview(text: string, variables: readonly string[] = [], country = '') {
  const head = await readHead(fileOfText(withHeader(text)), 10);
  const draft = mappedTo({ ...NO_CONTACTS, default_country: country }, head.header.cells, variables);
  return tryPreview(head, draft, variables);
}

test('each line is read as the service reads it', async () => {
  const { preview: read } = await preview(
    'Phone;Name\n(202) 555-0143;Ada\n12;Ben\n+44 20 7946 0000;\n',
    ['name'],
    'US',
  );
  expect(read?.columns).toEqual(['name']);
  expect(read?.lines).toMatchObject([
    { line: 2, number: '+12025550143', cells: ['Ada'], problems: [] },
    { line: 3, number: null, cells: ['Ben'], problems: [{ column: 'Phone' }] },
    {
      line: 4,
      number: null,
      cells: [''],
      problems: [{ column: 'Name', message: 'is empty, and the agent needs the variable name' }],
    },
  ]);
});

test('a file that the service would refuse is refused before it is sent', async () => {
  expect((await preview('phone,Phone\n1,2\n')).problem).toBe('The file has two columns “Phone” in line 1.');
  expect((await preview('phone\n1\n', [], 'ZZ')).problem).toContain('The country is ZZ');
});

test('pasted numbers get a header, and lines of a sheet keep theirs', async () => {
  expect(withHeader('\n+1 202 555 0143\n2025550144')).toBe('phone\n+1 202 555 0143\n2025550144');
  expect(withHeader('phone\tname\n+12025550143\tAda')).toBe('phone\tname\n+12025550143\tAda');
  expect(withHeader('')).toBe('');
  const { preview: read } = await preview('+1 202 555 0143\n(202) 555-0144', [], 'US');
  expect(read?.lines.map(({ line, number }) => [line, number])).toEqual([
    [2, '+12025550143'],
    [3, '+12025550144'],
  ]);
});
