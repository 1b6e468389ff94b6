import type { CallBody, CallEventBody, Turn } from '@outdial/contracts';
import { stepLine } from '../terminal/step.ts';

/** What both sides said, and what the agent's tools did, in the order in which it happened. */
export function conversationLines(
  call: { readonly answered_at: string | null; readonly transcript: readonly Turn[] | null },
  events: readonly CallEventBody[],
): readonly string[] {
  const answeredAtMs = call.answered_at === null ? 0 : Date.parse(call.answered_at);
  const turns = (call.transcript ?? []).map(({ role, text, start_ms: atMs, interrupted }) => {
    const words = text ?? '(speech without words)';
    return { atMs, line: stepLine(' ', role, interrupted ? `${words} … (interrupted)` : words) };
  });
  const tools = events.flatMap(({ type, at, data }) =>
    type === 'tool_called'
      ? [{ atMs: Date.parse(at) - answeredAtMs, line: stepLine(' ', 'tool', toolText(data)) }]
      : [],
  );
  const lines = [...turns, ...tools].toSorted((a, b) => a.atMs - b.atMs).map(({ line }) => line);
  return lines.length === 0 ? [] : ['', ...lines];
}

/** `find_free_slots {"day":"tomorrow"} → HTTP 200 {"free_slots":["10:00"]}` */
function toolText({ name, arguments: given, outcome, result }: CallEventBody['data']): string {
  const called = `${String(name)} ${JSON.stringify(given)}`;
  const answer = typeof result === 'string' ? result : String(outcome);
  return `${called} → ${answer.replaceAll(/\s+/g, ' ').trim()}`;
}

/** The cost of each product that the call used. */
export function costLines({
  cost_breakdown: { items },
  currency,
}: Pick<CallBody, 'cost_breakdown' | 'currency'>): readonly string[] {
  const costs = new Map<string, number>();
  for (const { product, model, cost } of items) {
    const name = model === undefined ? product : `${product} (${model})`;
    costs.set(name, (costs.get(name) ?? 0) + cost);
  }
  // Sums of decimals: to a millionth, which is the smallest amount.
  const parts = [...costs].map(([name, cost]) => `${name} ${Number(cost.toFixed(6))}`);
  return parts.length === 0 ? [] : ['', stepLine(' ', `cost in ${currency}`, parts.join(', '))];
}
