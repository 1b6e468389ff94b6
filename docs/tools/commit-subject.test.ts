import { expect, test } from 'vitest';
import { subjectProblem } from './commit-subject.mjs';

test.each([
  'queue: delay jobs while no trunk answers',
  'docs: format',
  'api, worker: read the same limit',
  'Merge branch x',
])('"%s" is a subject', (subject) => {
  expect(subjectProblem(subject)).toBeNull();
});

test.each([
  ['delay jobs', /scope: imperative/],
  ['Queue: delay jobs', /scope: imperative/],
  ['queue: Delay jobs', /scope: imperative/],
  ['queue: delay jobs.', /scope: imperative/],
  ['queue: added a delay', /"added"/],
  [`queue: ${'x'.repeat(66)}`, /73 characters/],
])('"%s" is rejected with the reason', (subject, reason) => {
  expect(subjectProblem(subject)).toMatch(reason);
});
