import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { classifyTests } from './classify-tests.ts';
import { orderTests } from './order-tests.ts';

/** Written by apps/cli/bootstrap/durations-reporter.mjs: the last duration of each file in milliseconds. */
const RECORDED_DURATIONS = 'node_modules/.cache/outdial/test-durations.json';
/** An estimate, measured per project, for files without a recorded duration, as in a fresh clone. */
const MS_PER_BYTE: Readonly<Record<string, number>> = { browser: 7, telephones: 6, 'verify-faults': 1_000 };
const MS_PER_BYTE_WAITING = 4;
const MS_PER_BYTE_OTHERS = 0.4;
/** Files whose size says nothing: tables elsewhere hold their calls, which take as long as people talk. They begin first. */
const LONG_FILES_MS: Readonly<Record<string, number>> = {
  'apps/worker/test/models/whole-calls.verify.test.ts': 200_000,
  'apps/worker/test/models/local-calls.verify.test.ts': 80_000,
  'packages/chaos/src/mutants/safeguards.verify.test.ts': 300_000,
  'packages/chaos/src/mutants/mutants.verify.test.ts': 300_000,
};

/** Orders the files of each group so that all workers stay busy to the end. */
export class TestSequencer extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const rootDir = this.ctx.config.root;
    const durations = readDurations(join(rootDir, RECORDED_DURATIONS));
    const waiting = new Set(classifyTests(rootDir).processes);
    const files = specs.map((spec) => {
      const { name: project, config } = spec.project;
      const path = relative(rootDir, spec.moduleId);
      const msPerByte = MS_PER_BYTE[project] ?? (waiting.has(path) ? MS_PER_BYTE_WAITING : MS_PER_BYTE_OTHERS);
      const durationMs = durations.get(path) ?? LONG_FILES_MS[path] ?? statSync(spec.moduleId).size * msPerByte;
      return { spec, project, durationMs, groupOrder: config.sequence.groupOrder, isolate: config.isolate };
    });
    return orderTests(files).map(({ spec }) => spec);
  }
}

function readDurations(path: string): ReadonlyMap<string, number> {
  if (!existsSync(path)) return new Map();
  return new Map(Object.entries<number>(JSON.parse(readFileSync(path, 'utf8'))));
}
