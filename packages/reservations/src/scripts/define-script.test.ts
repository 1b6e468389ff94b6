import { expect, test } from 'vitest';
import { gateUnderTest } from '../../test/stores.ts';
import { gateKeys, type GateKeys } from '../keys.ts';
import { defineScript } from './define-script.ts';
import type { Reply } from './reply.ts';

const under = gateUnderTest();
const context = () => ({ redis: under.redis, keys: gateKeys() });

function probeWith(changes: { keys?: (keys: GateKeys) => readonly string[]; outcome?: (reply: Reply) => string }) {
  return defineScript<void, string>({
    file: 'probe-1.lua',
    keys: changes.keys ?? (({ gate }) => [gate]),
    args: () => [],
    outcome: changes.outcome ?? ((reply) => reply.kind),
  });
}

test('a script runs on a Redis that has never seen it, and then by its digest', async () => {
  await under.redis.script('FLUSH');
  expect(await probeWith({})(context(), undefined)).toBe('identified');
  expect(await probeWith({})(context(), undefined)).toBe('identified');
});

test('a wrong number of keys is a defect and is not sent', async () => {
  const script = probeWith({ keys: () => [] });
  await expect(script(context(), undefined)).rejects.toThrow('probe-1.lua got 0 keys');
});

test('an outcome that the script does not declare is a defect that names the script', async () => {
  const script = probeWith({ outcome: (reply) => reply.unexpected() });
  await expect(script(context(), undefined)).rejects.toThrow('probe-1.lua answered ["identified"');
});

test('a missing field is a defect', async () => {
  const script = probeWith({ outcome: (reply) => reply.text(1) });
  await expect(script(context(), undefined)).rejects.toThrow('probe-1.lua answered');
});

const defineUnnumbered = () =>
  defineScript<void, string>({ file: 'includes/now.lua', keys: () => [], args: () => [], outcome: String });

test('a script whose name does not end in a number of keys is rejected', () => {
  expect(() => defineUnnumbered()).toThrow('does not end in the number of its keys');
});

test("Redis's own error is passed through", async () => {
  await under.redis.set(gateKeys().gate, 'not a hash');
  await expect(under.gate.state()).rejects.toThrow('WRONGTYPE');
});
