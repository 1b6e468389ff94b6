import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SNIPPETS } from './snippets.ts';

const GUIDE = new URL('../../../../../docs/guides/webhooks.md', import.meta.url);

it('the guide has the same program in Go', async () => {
  expect(await readFile(GUIDE, 'utf8')).toContain(`\`\`\`go\n${SNIPPETS.Go}\n\`\`\``);
});
