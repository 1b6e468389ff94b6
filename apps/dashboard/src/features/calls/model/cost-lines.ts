import { formatMoney, formatSpan } from '../../../shared/format/numbers.ts';
import type { CostFacts, CostItem, CostLine } from './cost-line.ts';
import { modelCostLines } from './model-cost-lines.ts';

/** The carrier's lines, then one of each model with all that it used, then what was not charged. */
export function costLines(call: CostFacts): readonly CostLine[] {
  const { items } = call.cost_breakdown;
  return [
    ...items.flatMap((item, index) => carrierLines(call, item, index)),
    ...modelCostLines(call),
    ...items.flatMap((item) => adjustmentLines(call, item)),
  ];
}

function carrierLines(
  { currency }: CostFacts,
  { product, quantity, unit_price: price, cost }: CostItem,
  index: number,
): readonly CostLine[] {
  const money = (amount: number) => formatMoney(amount, currency);
  const title = CARRIER_TITLES[product];
  if (title === undefined) return [];
  const isFee = product === 'connection' || product === 'transfer_connection';
  const details = [
    isFee ? `${quantity} × ${money(price)}` : `${formatSpan(quantity * 60)} at ${money(price)} per minute`,
  ];
  // A call may have several second legs.
  return [{ key: `${product} ${index}`, title, details, cost: money(cost) }];
}

const CARRIER_TITLES: Partial<Readonly<Record<CostItem['product'], string>>> = {
  connection: 'Connection',
  talk_time: 'Talk time',
  transfer_connection: 'Connection of the transfer',
  transfer_talk_time: 'Talk time of the transfer',
};

function adjustmentLines({ currency }: CostFacts, { product, cost }: CostItem): readonly CostLine[] {
  if (product !== 'adjustment') return [];
  const details = ['A call never costs more than was reserved for it'];
  return [{ key: product, title: 'Capped at the reserved amount', details, cost: formatMoney(cost, currency) }];
}
