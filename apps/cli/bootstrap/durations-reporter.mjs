// A vitest reporter that records how long each test file took, for the list of slow files and for the next run's
// order.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootDir } from './ensure-installed.mjs';

/** From file to milliseconds: imports, hooks and tests. Files that a run does not include keep their last duration. */
const DURATIONS_PATH = join(rootDir, 'node_modules', '.cache', 'outdial', 'test-durations.json');
const SHOWN = 20;

export default class DurationsReporter {
  #files = [];

  onTestModuleEnd(testModule) {
    const { duration, collectDuration } = testModule.diagnostic();
    const file = testModule.relativeModuleId;
    this.#files.push({ file, project: testModule.project.name, ms: Math.round(duration + collectDuration) });
  }

  onTestRunEnd() {
    if (this.#files.length === 0) return;
    keep(this.#files);
    print(this.#files);
  }
}

function keep(files) {
  const kept = { ...readKept(), ...Object.fromEntries(files.map(({ file, ms }) => [file, ms])) };
  mkdirSync(dirname(DURATIONS_PATH), { recursive: true });
  writeFileSync(DURATIONS_PATH, `${JSON.stringify(kept, null, 1)}\n`);
}

function readKept() {
  try {
    return JSON.parse(readFileSync(DURATIONS_PATH, 'utf8'));
  } catch {
    return {};
  }
}

function print(files) {
  const slowest = files.toSorted((left, right) => right.ms - left.ms).slice(0, SHOWN);
  const lines = slowest.map(({ file, project, ms }) => `${seconds(ms).padStart(8)}  ${file} (${project})`);
  const projects = [...groupByProject(files)].map(([name, of]) => `${name} ${of.length} files ${seconds(sum(of))}`);
  process.stdout.write(`\nSlowest files:\n${lines.join('\n')}\nTime by project: ${projects.join(', ')}.\n`);
}

function groupByProject(files) {
  const groups = new Map();
  for (const entry of files) groups.set(entry.project, [...(groups.get(entry.project) ?? []), entry]);
  return groups;
}

const sum = (files) => files.reduce((total, { ms }) => total + ms, 0);
const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
