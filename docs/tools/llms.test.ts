import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiDocument } from '@outdial/api/documentation';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isPage, llmsTexts } from '../llms.mjs';

const docsDir = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['', 'guides/', 'concepts/', 'reference/', 'adr/'];
const paths = FOLDERS.flatMap((folder) => readdirSync(join(docsDir, folder)).map((name) => `${folder}${name}`));
const pages = new Map(paths.filter(isPage).map((path) => [path, readFileSync(join(docsDir, path), 'utf8')]));
const document = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
    components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
  })
  .parse(structuredClone(apiDocument));
const texts = llmsTexts(pages, document);
/** About 30,000 tokens. Half of it is the interface, which grows with the product; pages leave the text before this grows. */
const MAX_BYTES = 120_000;
/** Paths of the API that are no pages. */
const OTHERS = new Set(['/llms.txt', '/llms-full.txt', '/api/v1/openapi.json', '/docs/alerts.yml', '/docs/api']);

describe.each(['llms.txt', 'llms-full.txt'] as const)('%s', (name) => {
  const text = texts[name];

  it('begins with a title and a summary, and is small enough for a context', () => {
    expect(text).toMatch(/^# Outdial\n\n> .+\n/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('links only to pages that exist', () => {
    const links = [...text.matchAll(/(?:\]\(|^\[[^\]]+\]: )([^)\s]+)/gm)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(5);
    const dead = links.filter((link) => {
      const [path = ''] = link.split('#');
      return !/^https?:/.test(link) && !OTHERS.has(path) && !pages.has(path.replace(/^\/docs\//, ''));
    });
    expect(dead).toEqual([]);
  });
});

it('the short text links to every guide, with what it is about', () => {
  const guides = [...pages.keys()].filter((path) => path.startsWith('guides/'));
  expect(guides.length).toBeGreaterThan(10);
  for (const path of guides) expect(texts['llms.txt']).toContain(`](/docs/${path}): `);
});

it('the full text has every operation and every schema of the interface', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) {
      expect(texts['llms-full.txt']).toContain(`## ${method.toUpperCase()} ${path}\n`);
    }
  }
  for (const name of Object.keys(document.components.schemas)) {
    expect(texts['llms-full.txt']).toContain(`### ${name}\n`);
  }
});
