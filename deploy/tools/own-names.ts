import { readFile } from 'node:fs/promises';
import { apiEnv } from '@outdial/api/documentation';
import { workerEnv } from '@outdial/worker/documentation';
import type { OwnNames } from './values-schema.ts';

const TEMPLATES = new URL('../helm/outdial/templates/', import.meta.url);

/** The variables that the templates set by name, outside of `settings`. */
export async function readOwnNames(): Promise<OwnNames> {
  const shared = await namesIn('_helpers.tpl');
  return {
    api: new Set([...shared, ...(await namesIn('api/deployment.yaml'))].filter((name) => name in apiEnv)),
    worker: new Set([...shared, ...(await namesIn('worker/deployment.yaml'))].filter((name) => name in workerEnv)),
  };
}

async function namesIn(template: string): Promise<readonly string[]> {
  const source = await readFile(new URL(template, TEMPLATES), 'utf8');
  const named = [
    ...source.matchAll(/- name: ([A-Z][A-Z0-9_]+)$|"outdial\.fromSecret(?:IfThere)?" \(list "([A-Z0-9_]+)"/gm),
  ];
  return named.flatMap(([, literal, secret]) => literal ?? secret ?? []);
}
