import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { EVENT_METRICS, PROCESS_GAUGES, SYSTEM_GAUGES } from './catalogue.ts';

const read = (name: string) => readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

test('every alarm is built on metrics that there are, with labels and values that they have', async () => {
  const metrics = Object.values({ ...EVENT_METRICS, ...PROCESS_GAUGES, ...SYSTEM_GAUGES });
  const used = [...(await read('alerts.yml')).matchAll(/(outdial_\w+?)(?:_bucket)?\b(?:\{(\w+)[!=~]+"([^"]+)"\})?/g)];
  const unknown = used.filter(([, name, label, values]) => {
    const metric = metrics.find((candidate) => candidate.name === name);
    if (!metric) return true;
    if (label === undefined || values === undefined) return false;
    if (!('label' in metric) || metric.label !== label) return true;
    const known: readonly string[] | null = 'values' in metric ? metric.values : null;
    return known !== null && values.split('|').some((value) => !known.includes(value));
  });
  expect(unknown.map(([text]) => text)).toEqual([]);
  expect(used.length).toBeGreaterThan(20);
});

test('every alarm has a case that lets it fire', async () => {
  const alarms = [...(await read('alerts.yml')).matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const cases = [...(await read('alerts.test.yml')).matchAll(/alertname="(\w+)"/g)].map(([, name]) => name);
  expect(cases).toEqual(alarms);
});

test('the runbook says of every alarm what it means, what to do, and how it was tried', async () => {
  const alarms = [...(await read('alerts.yml')).matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const sections = (await read('runbook.md')).split('\n## ').slice(1);
  const complete = sections.filter((section) => ['**Means**', '**Provoke**'].every((part) => section.includes(part)));
  expect(new Set(complete.map((section) => section.split('\n')[0]))).toEqual(new Set(alarms));
});
