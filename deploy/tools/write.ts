/** Writes the files of the chart and the dashboards that follow from the code. A test compares them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated-files.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
for (const [path, content] of await generatedFiles()) {
  await mkdir(dirname(`${root}${path}`), { recursive: true });
  await writeFile(`${root}${path}`, content);
}
