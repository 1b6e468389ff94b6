// Runs vitest, shows its output, and counts the results.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureInstalled, rootDir } from './ensure-installed.mjs';
import { listFailures } from './list-failures.mjs';

/**
 * Installs what is missing, runs the tests that vitest's arguments select, and prints `N passed, N failed` as its
 * last line.
 */
export async function runTests(args) {
  ensureInstalled();
  // Some tests read the dashboard as the API serves it. If the build fails, those tests report it.
  spawnSync(process.execPath, [join(rootDir, 'apps', 'dashboard', 'build.mjs')], { cwd: rootDir, stdio: 'inherit' });
  const reportDir = mkdtempSync(join(tmpdir(), 'outdial-report-'));
  const reportPath = join(reportDir, 'report.json');
  try {
    const exitCode = await runVitest(args, reportPath);
    const report = readReport(reportPath);
    const { passed, failed } = countTests(report, exitCode);
    process.stdout.write(listFailures(report));
    if (passed + failed === 0) process.stdout.write('No test ran: check the given names.\n');
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
  } finally {
    rmSync(reportDir, { recursive: true, force: true });
  }
}

function runVitest(args, reportPath) {
  const vitest = join(rootDir, 'node_modules', 'vitest', 'vitest.mjs');
  const durations = `--reporter=${join(rootDir, 'apps', 'cli', 'bootstrap', 'durations-reporter.mjs')}`;
  const reporters = ['--reporter=default', durations, '--reporter=json', `--outputFile.json=${reportPath}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], { cwd: rootDir, stdio: 'inherit' });
  // Ctrl-C reaches vitest as well, which stops its servers; its results are still counted.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
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
