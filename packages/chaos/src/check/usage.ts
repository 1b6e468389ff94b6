import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';

/** Sums by component and unit; all tokens of a realtime model are one unit, as in its provider's ledger. */
export type Usage = ReadonlyMap<string, number>;

/** What the calls of this account are charged for. */
export async function chargedUsage({ sql }: Pick<Stack, 'sql'>, account: Account): Promise<Usage> {
  const rows = await sql<{ what: string; quantity: number }>(
    `SELECT CASE u.component WHEN 'realtime' THEN 'realtime token' ELSE u.component || ' ' || u.unit END AS what,
       sum(u.quantity)::float8 AS quantity
     FROM calls c JOIN model_calls m ON m.call_id = c.id,
       jsonb_to_recordset(m.usage) AS u(component text, unit text, quantity float8)
     WHERE c.account_id = $1 GROUP BY 1`,
    [account.id],
  );
  return new Map(rows.map(({ what, quantity }) => [what, quantity]));
}

/** Sound that was on its way when a connection ended; each side rounds it. */
const SECONDS_A_CALL = 0.5;

/**
 * No account pays for more than the providers bill. `isAllKnown`: no connection was lost, so none pays for less either. What a
 * lost connection did not report may be missing, or is estimated for a model of text: as tokens that no cache had.
 */
export function usageViolations(
  charged: Usage,
  billed: Usage,
  { calls, isAllKnown }: { readonly calls: number; readonly isAllKnown: boolean },
): readonly string[] {
  const [paidFor, made] = isAllKnown ? [charged, billed] : [withoutCache(charged), withoutCache(billed)];
  const units = new Set([...paidFor.keys(), ...made.keys()]);
  return [...units].flatMap((what) => {
    const [paid, owed] = [paidFor.get(what) ?? 0, made.get(what) ?? 0];
    const rounding = what.endsWith('second') ? calls * SECONDS_A_CALL : 0;
    if (paid > owed + rounding) return [`charged ${paid} of ${what}, of which the provider made ${owed}`];
    return isAllKnown && paid < owed - rounding ? [`charged ${paid} of ${what} only, of which ${owed} were made`] : [];
  });
}

/** The same, where it does not matter what a text model had read before. */
function withoutCache(usage: Usage): Usage {
  const joined = new Map<string, number>();
  for (const [unit, quantity] of usage) {
    const what = unit.replace('llm cached_', 'llm ');
    joined.set(what, (joined.get(what) ?? 0) + quantity);
  }
  return joined;
}

/** What was billed since an earlier look. */
export function since(earlier: Usage, later: Usage): Usage {
  return new Map([...later].map(([what, quantity]) => [what, quantity - (earlier.get(what) ?? 0)]));
}
