import { readdirSync, readFileSync } from 'node:fs';

/** A link for each decision record, titled by its heading. */
export function decisionRecords(): { text: string; link: string }[] {
  const folder = new URL('../adr/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .toSorted()
    .map((name) => {
      const heading = /^# (.+)$/m.exec(readFileSync(new URL(name, folder), 'utf8'))?.[1];
      return { text: heading ?? name, link: `/adr/${name.replace(/\.md$/, '')}` };
    });
}
