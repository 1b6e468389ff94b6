// A short list of a test run's failures: readers of a CI log often see only its end.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { rootDir } from './ensure-installed.mjs';

/** `.ci/run` finds the start of the list by this line, and its end by the count. */
const HEADING = 'Failed tests:';
const SHOWN_LINES = 15;

/**
 * @param report vitest's JSON report.
 * @returns the heading and, for each failed test or unloadable file, its file, name and the first lines of its error; an
 *   empty text if nothing failed.
 */
export function listFailures(report) {
  const failures = report.testResults.flatMap(failuresOf);
  return failures.length === 0 ? '' : `\n${HEADING}\n${failures.map(formatFailure).join('\n')}\n`;
}

function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(rootDir, name);
  const tests = assertionResults.filter((test) => test.status === 'failed');
  // A file that did not load, or whose hook failed, carries the error itself.
  if (status === 'failed' && tests.length === 0) return [{ file, test: '(the file)', error: message }];
  return tests.map(({ fullName, failureMessages }) => ({ file, test: fullName, error: failureMessages.join('\n') }));
}

function formatFailure({ file, test, error }) {
  const lines = stripVTControlCharacters(error ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^ +at .*(?:node_modules|<anonymous>|node:)/.test(line))
    .slice(0, SHOWN_LINES);
  return [`- ${file} > ${test}`, ...lines.map((line) => `    ${line}`)].join('\n');
}
