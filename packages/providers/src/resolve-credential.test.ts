import { randomUUID } from 'node:crypto';
import { accountIdSchema, credentialIdSchema, PROVIDERS } from '@outdial/contracts';
import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { resolveCredential } from './resolve-credential.ts';

const [OWN, OTHER] = [accountIdSchema.parse(randomUUID()), accountIdSchema.parse(randomUUID())];
const IDS = Array.from({ length: 12 }, () => credentialIdSchema.parse(randomUUID()));
const NAMES = ['main', 'spare', 'eu'];

const credentials = array(
  record({
    accountId: constantFrom(OWN, OTHER, null),
    provider: constantFrom(...PROVIDERS.slice(0, 2)),
    name: constantFrom(...NAMES),
    baseUrl: constantFrom(null, 'http://127.0.0.1:5090'),
    createdAtMs: integer({ min: 0, max: 3 }),
  }),
  { maxLength: IDS.length },
).map((list) =>
  list
    // As the database has them: a name is unique for its owner.
    .filter((one, at) => list.findIndex((b) => b.accountId === one.accountId && b.name === one.name) === at)
    .flatMap((one, at) => {
      const id = IDS[at];
      return id === undefined ? [] : [{ ...one, id }];
    }),
);
const wanted = record({
  accountId: constantFrom(OWN),
  provider: constantFrom(...PROVIDERS.slice(0, 2)),
  name: constantFrom(...NAMES, 'unknown', null),
});

test('a call never uses a credential of another account, of another provider, or of another name', () => {
  assert(
    property(credentials, wanted, (all, want) => {
      const chosen = resolveCredential(all, want);
      if (chosen === null) return;
      expect(all).toContain(chosen);
      expect([OWN, null]).toContain(chosen.accountId);
      expect(chosen.provider).toBe(want.provider);
      if (want.name !== null) expect(chosen.name).toBe(want.name);
    }),
  );
});

test('a call uses the named credential, else the only one of its account, else the first of the operator', () => {
  assert(
    property(credentials, wanted, (all, want) => {
      const fits = (owner: typeof OWN | null) =>
        all.filter(({ accountId, provider }) => accountId === owner && provider === want.provider);
      const named = (owner: typeof OWN | null) => fits(owner).find(({ name }) => name === want.name);
      // At the provider's own address, unless there is none: a simulated provider has another.
      const real = fits(null).filter(({ baseUrl }) => baseUrl === null);
      const oldest = (real.length > 0 ? real : fits(null)).reduce<(typeof all)[number] | null>(
        (best, one) =>
          best === null ||
          one.createdAtMs < best.createdAtMs ||
          (one.createdAtMs === best.createdAtMs && one.id < best.id)
            ? one
            : best,
        null,
      );
      const ownOnly = fits(OWN).length === 1 ? fits(OWN)[0] : oldest;
      const expected = want.name === null ? ownOnly : (named(OWN) ?? named(null) ?? null);
      expect(resolveCredential(all, want)).toBe(expected);
    }),
  );
});

test('the choice does not depend on the order in which credentials were read', () => {
  assert(
    property(credentials, wanted, (all, want) => {
      expect(resolveCredential(all.toReversed(), want)).toBe(resolveCredential(all, want));
    }),
  );
});

test('another account’s credentials change nothing', () => {
  assert(
    property(credentials, wanted, (all, want) => {
      const visible = all.filter(({ accountId }) => accountId !== OTHER);
      expect(resolveCredential(all, want)).toBe(resolveCredential(visible, want));
    }),
  );
});
