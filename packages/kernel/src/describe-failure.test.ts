import { expect, it } from 'vitest';
import { describeFailure } from './describe-failure.ts';
import { EnvError } from './env/parse-env.ts';

it('an error that the operator can fix is described by its message alone', () => {
  expect(describeFailure(new EnvError('PORT must be a number.'), [RangeError, EnvError])).toBe(
    'PORT must be a number.',
  );
});

it('a defect is described by its stack', () => {
  const defect = new TypeError('x is not a function');
  expect(describeFailure(defect, [EnvError])).toBe(defect.stack);
  expect(describeFailure('thrown as text', [EnvError])).toBe('thrown as text');
});
