import { formatMoney, formatSpan } from '../../../shared/format/numbers.ts';
import type { CostFacts, CostItem, CostLine } from './cost-line.ts';
import { modelCostLines } from './model-cost-lines.ts';

/** The carrier's lines, then one of each model with all that it used, then what was not charged. */
export function costLines(call: CostFacts): readonly CostLine[] {
  const { items } = call.cost_breakdown;
  return [
    ...items.flatMap((item) => carrierLines(call, item)),
    ...modelCostLines(call),
    ...items.flatMap((item) => adjustmentLines(call, item)),
  ];
}

function carrierLines(
  { currency }: CostFacts,
  { product, quantity, unit_price: price, cost }: CostItem,
): readonly CostLine[] {
  const money = (amount: number) => formatMoney(amount, currency);
  if (product === 'connection')
    return [{ key: product, title: 'Connection', details: [`${quantity} × ${money(price)}`], cost: money(cost) }];
  if (product !== 'talk_time') return [];
  const details = [`${formatSpan(quantity * 60)} at ${money(price)} per minute`];
  return [{ key: product, title: 'Talk time', details, cost: money(cost) }];
}

function adjustmentLines({ currency }: CostFacts, { product, cost }: CostItem): readonly CostLine[] {
  if (product !== 'adjustment') return [];
  const details = ['A call never costs more than was reserved for it'];
  return [{ key: product, title: 'Capped at the reserved amount', details, cost: formatMoney(cost, currency) }];
}
