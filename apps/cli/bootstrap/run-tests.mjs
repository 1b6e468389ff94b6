// Runs vitest, shows its output, and counts the results.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureInstalled, rootDir } from './ensure-installed.mjs';
import { listFailures } from './list-failures.mjs';

/**
 * Installs what is missing, runs the tests, and prints `N passed, N failed` as its last line.
 *
 * @param selections vitest's arguments for each run. The runs take place side by side; the later ones start when the
 *   first one has what it needs, and show their output when they end.
 */
export async function runTests(selections) {
  ensureInstalled();
  // Some tests read the dashboard as the API serves it. If the build fails, those tests report it.
  spawnSync(process.execPath, [join(rootDir, 'apps', 'dashboard', 'build.mjs')], { cwd: rootDir, stdio: 'inherit' });
  const reportDir = mkdtempSync(join(tmpdir(), 'outdial-report-'));
  // Ctrl-C reaches vitest as well, which stops its servers; its results are still counted.
  process.on('SIGINT', () => {});
  try {
    summarize(await runSideBySide(selections.map((args, at) => ({ args, path: join(reportDir, `${at}.json`) }))));
  } finally {
    rmSync(reportDir, { recursive: true, force: true });
  }
}

async function runSideBySide([first, ...others]) {
  const begun = startVitest(first, 'inherit');
  await (GIVEN_STORES ? begun.ended : begun.ready);
  const buffered = others.map((run) => startVitest(run, 'pipe'));
  const results = [await begun.ended];
  for (const { ended, output } of buffered) {
    results.push(await ended);
    process.stdout.write(output());
  }
  return results;
}

/** Runs that share given servers would take each other's databases. */
const GIVEN_STORES = Boolean(process.env.TEST_REDIS_URL || process.env.TEST_DATABASE_URL);

/** `ready`: it has installed and started what its tests need, or has ended. */
function startVitest({ args, path }, output) {
  const vitest = join(rootDir, 'node_modules', 'vitest', 'vitest.mjs');
  const durations = `--reporter=${join(rootDir, 'apps', 'cli', 'bootstrap', 'durations-reporter.mjs')}`;
  const reporters = ['--reporter=default', durations, '--reporter=json', `--outputFile.json=${path}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: rootDir,
    stdio: ['inherit', output, output, 'ipc'],
  });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
  const ended = once(child, 'close').then(([code]) => ({ report: readReport(path), exitCode: code ?? 1 }));
  // The reporter tells of the first test file.
  const ready = Promise.race([once(child, 'message'), ended]);
  return { ready, ended, output: () => Buffer.concat(chunks) };
}

function summarize(results) {
  const counts = results.map(({ report, exitCode }) => countTests(report, exitCode));
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  process.stdout.write(listFailures({ testResults: results.flatMap(({ report }) => report.testResults) }));
  if (passed + failed === 0) process.stdout.write('No test ran: check the given names.\n');
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/**
 * A file that did not load and an error outside of any test each count as one failure; the tests' count includes
 * neither.
 */
function countTests(report, exitCode) {
  const unloadable = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const failed = report.numFailedTests + unloadable.length;
  return {
    passed: report.numPassedTests,
    failed: exitCode !== 0 && failed === 0 && report.numTotalTests > 0 ? 1 : failed,
  };
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // Vitest ended before it wrote a report, and has printed why.
    return { numPassedTests: 0, numFailedTests: 0, numTotalTests: 1, testResults: [] };
  }
}
