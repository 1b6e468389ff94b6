import { expect, test } from 'vitest';
import { functionDeclaration } from './function-declaration.ts';

const declared = (parameters: object) =>
  functionDeclaration({ name: 'lookup', description: 'Finds slots.', parameters: { ...parameters } });

test('a schema has only what the API knows', () => {
  const day = { type: ['string', 'null'], enum: ['Monday', 'Tuesday'], examples: ['Monday'], default: 'Monday' };
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      day,
      count: { type: 'integer', minimum: 1, exclusiveMaximum: 9 },
      kind: { const: 'visit' },
      either: { oneOf: [{ type: 'string' }, { type: 'number', multipleOf: 2 }] },
      list: {
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'boolean' } }, additionalProperties: false },
      },
    },
    required: ['day'],
    additionalProperties: false,
  };
  expect(declared(schema)).toEqual({
    name: 'lookup',
    description: 'Finds slots.',
    behavior: 'NON_BLOCKING',
    parameters: {
      type: 'OBJECT',
      properties: {
        day: { type: 'STRING', nullable: true, enum: ['Monday', 'Tuesday'] },
        count: { type: 'INTEGER', minimum: 1 },
        kind: { type: 'STRING', enum: ['visit'] },
        either: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] },
        list: { type: 'ARRAY', items: { type: 'OBJECT', properties: { a: { type: 'BOOLEAN' } } } },
      },
      required: ['day'],
    },
  });
});

test('a tool without parameters has none: the API refuses an object without properties', () => {
  expect(declared({ type: 'object' })).not.toHaveProperty('parameters');
  expect(declared({ type: 'object', properties: {} })).not.toHaveProperty('parameters');
});
