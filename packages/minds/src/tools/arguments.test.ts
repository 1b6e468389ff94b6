import { expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';

const anyOf = Array.from({ length: 1_000 }, (_, nth) => ({ const: nth }));
const list = { type: 'object', properties: { list: { type: 'array', items: { anyOf } } } };
const argumentsOf = (length: number) => JSON.stringify({ list: Array.from({ length }, () => 7) });

test('arguments are compared with each choice of a schema, up to a bound on what that takes', () => {
  expect(parseArguments(argumentsOf(50), list)).toMatchObject({ kind: 'valid' });
  expect(parseArguments('{"list":[1000]}', list)).toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('list.0'),
  });
  // Of the length that a model may give, it would take many seconds.
  expect(parseArguments(argumentsOf(8_000), list)).toEqual({
    kind: 'invalid',
    message: 'the arguments have too many parts',
  });
});

test('choices count also where they are within others, or are types', () => {
  const nested = { anyOf: [{ type: 'array', items: { anyOf } }, { type: 'null' }] };
  const types = { type: 'array', items: { type: Array.from({ length: 1_000 }, () => 'null') } };
  for (const inner of [nested, types]) {
    const schema = { type: 'object', properties: { list: inner } };
    expect(parseArguments(argumentsOf(2_000), schema)).toMatchObject({ message: 'the arguments have too many parts' });
  }
});

test('arguments may be nested as deeply as their length permits', () => {
  const deep = `{"list":${'['.repeat(8_000)}${']'.repeat(8_000)}}`;
  expect(parseArguments(deep, { type: 'object', properties: {} })).toMatchObject({ kind: 'valid' });
});
