import { createCallSchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { nextPlacement } from './idempotency.ts';

const AGENT = '01991f3e-0b1c-7d2e-8f30-415263748596';
const body = (more: object = {}) => createCallSchema.parse({ to_number: '+12025550100', agent_id: AGENT, ...more });

function keys() {
  let made = 0;
  return () => `key ${++made}`;
}

test('repeating the same request reuses its key, so that one call is placed', () => {
  const newKey = keys();
  const first = nextPlacement(null, body({ variables: { a: '1', b: '2' } }), newKey);
  const again = nextPlacement(first, body({ variables: { b: '2', a: '1' } }), newKey);
  expect(again).toBe(first);
});

test('another call gets another key, because the service rejects a key with another body', () => {
  const newKey = keys();
  const first = nextPlacement(null, body({ variables: { a: '1' } }), newKey);
  const other = nextPlacement(first, body({ variables: { a: '2' } }), newKey);
  expect(other.key).not.toBe(first.key);
  expect(nextPlacement(other, body({ max_duration_seconds: 60 }), newKey).key).not.toBe(other.key);
});
