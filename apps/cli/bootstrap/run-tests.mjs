// Runs vitest, shows what it shows, and counts.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureInstalled, rootDir } from './ensure-installed.mjs';
import { listFailures } from './list-failures.mjs';

/** Installs what is missing, runs the tests that vitest's arguments name, and ends with the line `N passed, N failed`. */
export async function runTests(args) {
  ensureInstalled();
  // For the tests that look at the dashboard as the API serves it. If it cannot be built, they say so.
  spawnSync(process.execPath, [join(rootDir, 'apps', 'dashboard', 'build.mjs')], { cwd: rootDir, stdio: 'inherit' });
  const reportDir = mkdtempSync(join(tmpdir(), 'outdial-report-'));
  const reportPath = join(reportDir, 'report.json');
  try {
    const exitCode = await runVitest(args, reportPath);
    const report = readReport(reportPath);
    const { passed, failed } = countTests(report, exitCode);
    process.stdout.write(listFailures(report));
    if (passed + failed === 0) process.stdout.write('No test ran: check the names given.\n');
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
  // Ctrl-C reaches vitest as well, which takes its servers down; its result is still counted.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

/** A file that could not be loaded, or an error outside of any test, counts as one failure: neither is in the tests' count. */
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
    // Vitest ended before it could write one, and has said why.
    return { numPassedTests: 0, numFailedTests: 0, numTotalTests: 1, testResults: [] };
  }
}
