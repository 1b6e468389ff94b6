import type { SchemaItems } from './schema-items.ts';
import type { Snapshot } from './snapshot.ts';

/** Where today's schema breaks the code of the snapshot: ADR 17. */
export function breachesOf({ items: before }: Snapshot, today: SchemaItems): readonly string[] {
  const breaches: string[] = [];
  for (const [name, { definition, isUsed }] of before) {
    const now = today.get(name)?.definition;
    if (!isUsed || now === definition || now === `${definition}, default`) continue;
    breaches.push(now === undefined ? `${name} is gone` : `${name} was «${definition}» and is «${now}»`);
  }
  const tables = new Set([...before.keys()].flatMap(tableOf));
  for (const [name, { definition }] of today) {
    const isInOldTable = tableOf(name).some((table) => tables.has(table));
    if (isInOldTable && !before.has(name) && !/, (?:nullable|default)$/.test(definition)) {
      breaches.push(`${name} is new, and is neither nullable nor has a default`);
    }
  }
  return breaches;
}

function tableOf(name: string): readonly string[] {
  const table = /^column (?<table>[^.]+)\./.exec(name)?.groups?.['table'];
  return table === undefined ? [] : [table];
}
