/** An amount that someone chose: `$200`, `$12.50`. */
export function formatBudget(amount: number, currency: string): string {
  const style = {
    style: 'currency',
    currency,
    maximumFractionDigits: 6,
    trailingZeroDisplay: 'stripIfInteger',
  } as const;
  return new Intl.NumberFormat('en', style).format(amount);
}
