import { e164Schema } from '@outdial/contracts';
import type { PhoneNumberRecord } from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { formatFacts, formatTable } from '../../terminal/table.ts';
import { isoTime, shownTime, yesOrNo } from '../columns.ts';
import { ownerFields, ownerOf, whoseFlags, withOneOwner } from '../owner.ts';
import type { Json, Report } from '../report.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';
import { addPlaceVerb } from './number-place.ts';

const NUMBER = [['<number>', 'E.164, such as +12025550143']] as const;
const oneNumber = withOneOwner(z.strictObject({ number: e164Schema, ...ownerFields }));

export function addNumberVerbs(program: Command, runVerb: RunVerb): void {
  const numbers = createNoun(
    program,
    'numbers',
    'Numbers that calls are placed from, owned by an account or by the system; and where any number is.',
  );
  addVerb(numbers, runVerb, {
    name: 'add',
    summary: 'Add a number, active and enabled for outbound calls.',
    arguments: NUMBER,
    flags: [...whoseFlags('whose number'), ['--default', 'use it for calls that name no number']],
    examples: [
      'numbers add +12025550143 --account <account-id> --default',
      'numbers add +12025550144 --system --default',
    ],
    changes: true,
    input: withOneOwner(z.strictObject({ number: e164Schema, ...ownerFields, default: z.literal(true).optional() })),
    async run({ administration }, { number, default: isDefault, ...owner }) {
      const input = { accountId: ownerOf(owner), e164: number, isDefault: isDefault === true };
      return numberReport(await administration.numbers.add(input));
    },
  });
  addVerb(numbers, runVerb, {
    name: 'remove',
    summary: 'Remove a number. Calls already accepted with it continue.',
    arguments: NUMBER,
    flags: whoseFlags('whose number'),
    examples: ['numbers remove +12025550143 --account <account-id>'],
    changes: true,
    input: oneNumber,
    async run({ administration }, { number, ...owner }) {
      await administration.numbers.remove({ accountId: ownerOf(owner), e164: number });
      return { json: { number: null }, text: [`Removed ${number}.`] };
    },
  });
  addVerb(numbers, runVerb, {
    name: 'set-default',
    summary: 'Use this number for calls that name no number.',
    arguments: NUMBER,
    flags: whoseFlags('whose number'),
    examples: ['numbers set-default +12025550143 --account <account-id>'],
    changes: true,
    input: oneNumber,
    async run({ administration }, { number, ...owner }) {
      return numberReport(await administration.numbers.setDefault({ accountId: ownerOf(owner), e164: number }));
    },
  });
  addVerb(numbers, runVerb, {
    name: 'list',
    summary: 'List numbers, the default first.',
    flags: whoseFlags('whose numbers'),
    examples: ['numbers list --account <account-id>', 'numbers list --system'],
    changes: false,
    input: withOneOwner(z.strictObject(ownerFields)),
    async run({ administration }, owner) {
      const accountId = ownerOf(owner);
      if (accountId !== null) await administration.accounts.show(accountId);
      const list = await administration.numbers.list(accountId);
      return { json: { numbers: list.map(numberJson) }, text: numberTable(list) };
    },
  });
  addPlaceVerb(numbers, runVerb);
}

function numberReport(number: PhoneNumberRecord): Report {
  const text = formatFacts([
    ['Number', number.e164],
    ['Owner', number.accountId ?? 'the system'],
    ['Default', yesOrNo(number.isDefault)],
    ['Active', yesOrNo(number.active)],
    ['Outbound', yesOrNo(number.outboundEnabled)],
    ['Added', shownTime(number.createdAtMs)],
  ]);
  return { json: { number: numberJson(number) }, text };
}

function numberJson(number: PhoneNumberRecord): Json {
  return {
    id: number.id,
    account_id: number.accountId,
    number: number.e164,
    active: number.active,
    outbound_enabled: number.outboundEnabled,
    is_default: number.isDefault,
    created_at: isoTime(number.createdAtMs),
  };
}

function numberTable(numbers: readonly PhoneNumberRecord[]): readonly string[] {
  return formatTable<PhoneNumberRecord>(
    [
      { title: 'NUMBER', value: (number) => number.e164 },
      { title: 'DEFAULT', value: (number) => yesOrNo(number.isDefault) },
      { title: 'ACTIVE', value: (number) => yesOrNo(number.active) },
      { title: 'OUTBOUND', value: (number) => yesOrNo(number.outboundEnabled) },
      { title: 'ADDED', value: (number) => shownTime(number.createdAtMs) },
    ],
    numbers,
    'There are no numbers yet: add one with `numbers add`.',
  );
}
