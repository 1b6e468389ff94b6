import type { CampaignColumns } from '@outdial/contracts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inChunks, utf8 } from '../test/chunks.ts';
import type { Contact, ContactProblem } from './contact-reader.ts';
import { MOST_LINES_OF_A_BATCH, readContacts, type ContactFileInput } from './read-contacts.ts';

const ADA = '+12025551000';
const BEN = '+442071234567';

async function read(text: string, input: Partial<ContactFileInput> = {}) {
  const contacts: Contact[] = [];
  const problems: ContactProblem[] = [];
  let invalid = 0;
  let largest = 0;
  const rules = { columns: {}, variables: [], defaultCountry: null, destinationProblem: () => null, ...input };
  for await (const batch of readContacts(inChunks(utf8(text), [1_000]), rules)) {
    contacts.push(...batch.contacts);
    problems.push(...batch.problems);
    invalid += batch.invalid;
    largest = Math.max(largest, batch.contacts.length + batch.invalid);
  }
  return { contacts, problems, invalid, largest };
}

const unlessBritish = (number: string) => (number.startsWith('+44') ? 'has no rate' : null);

const problemOf = async (text: string, input: Partial<ContactFileInput> = {}) => {
  const { problems, contacts } = await read(text, input);
  expect([problems.length, contacts]).toEqual([1, []]);
  return problems[0];
};

describe('the columns of a file', () => {
  test.each(['to_number', 'phone', 'phone_number', 'number', 'Phone'])('have their numbers in %s', async (title) => {
    expect((await read(`crm,${title}\n7,${ADA}\n`)).contacts).toMatchObject([{ line: 2, number: ADA, variables: {} }]);
  });

  test('are variables if the agent has one of the name, and nothing else', async () => {
    const { contacts } = await read(`phone;name;city\n${ADA};Ada;Paris\n`, { variables: ['name'] });
    expect(contacts).toMatchObject([{ variables: { name: 'Ada' }, metadata: {}, timeZone: null }]);
  });

  test('are what the mapping says', async () => {
    const columns: CampaignColumns = {
      to_number: 'Mobile',
      time_zone: 'TZ',
      variables: { name: 'First name' },
      metadata: { crm_id: 'ID' },
    };
    const text = `ID,First name,phone,mobile,TZ\n7,Ada,${BEN},${ADA},US/Eastern\n8,Ben,,${BEN},\n`;
    const { contacts } = await read(text, { columns, variables: ['name'] });
    expect(contacts).toEqual([
      { line: 2, number: ADA, variables: { name: 'Ada' }, metadata: { crm_id: '7' }, timeZone: 'America/New_York' },
      { line: 3, number: BEN, variables: { name: 'Ben' }, metadata: { crm_id: '8' }, timeZone: null },
    ]);
  });

  test.each([
    ['there is no header', '', {}, 'has no header'],
    ['there is only white space', '\n  \r\n', {}, 'has no header'],
    ['there is no column of numbers', `${ADA}\n${BEN}\n`, {}, 'line 1 has: +12025551000'],
    ['a column comes twice', 'phone,Name,name\n', {}, 'two columns “name” in line 1'],
    [
      'a mapped column is not there',
      'phone\n',
      { columns: { variables: { name: 'Who' } } },
      '“Who” for the variable name',
    ],
    ['the agent needs a variable that has no column', 'phone\n', { variables: ['name'] }, 'for the variable name'],
    ['it has more than 1,000 columns', `phone${',a'.repeat(1_000)}\n`, {}, '1001 columns in line 1'],
    ['the default country is none', 'phone\n', { defaultCountry: 'ZZ' }, 'default_country is ZZ'],
  ])('are refused with the file if %s', async (_, text, input, message) => {
    await expect(read(text, input)).rejects.toThrow(message);
  });
});

describe('a number', () => {
  test.each([
    ['(202) 555-0143', 'US', '+12025550143'],
    ['1-202-555-0143', 'US', '+12025550143'],
    ['+1 202 555 0143', null, '+12025550143'],
    ['020 7123 4567', 'GB', BEN],
    ['0044 20 7123 4567', 'DE', BEN],
    ['+44 20 7123 4567', 'US', BEN],
    // An area code that is not assigned yet.
    ['+12995550143', null, '+12995550143'],
  ])('%s in %s is %s', async (text, defaultCountry, number) => {
    expect((await read(`phone\n${text}\n`, { defaultCountry })).contacts).toMatchObject([{ number }]);
  });

  test.each([
    ['is empty', '""', 'US'],
    ['has no calling code, and there is no country', '2025550143', null],
    ['is too short', '202-555-01', 'US'],
    ['has eleven digits after +1', '+120255501433', null],
    ['has an extension', '+12025550143 ext. 7', null],
    ['was written by a spreadsheet', '1.20256E+10', 'US'],
    ['is two numbers', '2025550143 / 2025550144', 'US'],
    ['is a text', 'call Ada', 'US'],
    ['is in a text', 'Ada 2025550143', 'US'],
    ['has no end', '9'.repeat(5_000), 'US'],
  ])('that %s is refused with its line', async (_, text, defaultCountry) => {
    const problem = await problemOf(`crm,phone\n1,${text}\n`, { defaultCountry });
    expect(problem).toMatchObject({ line: 2, column: 'phone' });
    expect(problem?.value).not.toMatch(/\d/);
    expect(problem?.value.length).toBeLessThanOrEqual(40);
  });

  test('that the account may not call is refused', async () => {
    const { contacts, problems } = await read(`phone\n${BEN}\n${ADA}\n`, { destinationProblem: unlessBritish });
    expect(contacts).toMatchObject([{ line: 3, number: ADA }]);
    expect(problems).toEqual([{ line: 2, column: 'phone', value: '+••••••••••••', message: 'has no rate' }]);
  });
});

describe('a line', () => {
  const columns: CampaignColumns = { time_zone: 'tz', metadata: { note: 'note' } };
  const input = { columns, variables: ['name'] };
  test.each([
    ['a variable that the agent needs is empty', `${ADA},,,`, 'name'],
    ['a text is too long', `${ADA},${'x'.repeat(1_001)},,`, 'name'],
    ['the time zone is unknown', `${ADA},Ada,Mars/Base,`, 'tz'],
    ['the metadata is too large', `${ADA},Ada,,${'é'.repeat(2_100)}`, ''],
    ['it has too few cells', `${ADA},Ada`, ''],
    ['it has too many cells', `${ADA},Smith, Ada,,`, ''],
  ])('is refused if %s', async (_, line, column) => {
    expect(await problemOf(`phone,name,tz,note\n${line}\n`, input)).toMatchObject({ line: 2, column });
  });

  test('has all its problems named, and counts once', async () => {
    const { problems, invalid } = await read('phone,name,tz,note\nx,,y,\n', input);
    expect([problems.map(({ column }) => column), invalid]).toEqual([['phone', 'tz', 'name'], 1]);
  });

  test('of a thousand that is bad is found, whatever the rest is like', async () => {
    const lines = fc.record({
      at: fc.integer({ min: 0, max: 2_999 }),
      name: fc.constantFrom('Ada', '"A\r\nB"', '"""A"""'),
    });
    await fc.assert(
      fc.asyncProperty(lines, async ({ at, name }) => {
        const rows = Array.from({ length: 3_000 }, (_, row) => `${row === at ? '12' : ADA},${name}`);
        const { contacts, problems, largest } = await read(`phone,name\r\n${rows.join('\r\n')}`, {
          variables: ['name'],
        });
        const height = name.includes('\n') ? 2 : 1;
        expect([contacts.length, problems.map(({ line }) => line)]).toEqual([2_999, [2 + at * height]]);
        expect(largest).toBeLessThanOrEqual(MOST_LINES_OF_A_BATCH);
      }),
      { numRuns: 5 },
    );
  });
});
