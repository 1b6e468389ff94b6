import { expect, it } from 'vitest';
import { lockfileErrors } from '../bootstrap/lockfile-errors.mjs';

const integrity = `sha512-${'a'.repeat(86)}==`;
const faultsOf = (entry: object) =>
  lockfileErrors({ packages: { '': {}, 'packages/a': {}, 'node_modules/a': { link: true }, ...entry } });

it('a lockfile passes if every registry package has a sha512 digest and no host', () => {
  expect(faultsOf({ 'node_modules/x': { version: '1.0.0', integrity } })).toEqual([]);
});

it.each([
  ['no digest', { version: '1.0.0' }],
  ['no digest, though optional', { version: '1.0.0', optional: true }],
  ['a weaker digest', { version: '1.0.0', integrity: 'sha1-aaaa' }],
  ['a host', { version: '1.0.0', integrity, resolved: 'https://registry.example/x-1.0.0.tgz' }],
  ['a Git host', { version: '1.0.0', integrity, resolved: 'git+ssh://git@example.com/x.git' }],
])('a package with %s is an error, also a nested one', (_, entry) => {
  for (const path of ['node_modules/x', 'packages/a/node_modules/x', 'node_modules/y/node_modules/x']) {
    expect(faultsOf({ [path]: entry })).toEqual([expect.stringContaining('x@1.0.0 ')]);
  }
});
