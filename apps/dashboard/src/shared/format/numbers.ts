const LOCALE = 'en';

const counts = new Intl.NumberFormat(LOCALE);
const moneyFormats = new Map<string, Intl.NumberFormat>();

export function formatCount(value: number): string {
  return counts.format(value);
}

/** An amount with its currency, two to six decimals: calls cost fractions of a cent. */
export function formatMoney(amount: number, currency: string): string {
  let format = moneyFormats.get(currency);
  if (format === undefined) {
    format = new Intl.NumberFormat(LOCALE, {
      style: 'currency',
      currency,
      minimumFractionDigits: 2,
      maximumFractionDigits: 6,
    });
    moneyFormats.set(currency, format);
  }
  // A charge of zero may be minus zero.
  return format.format(amount === 0 ? 0 : amount);
}

/** Rounded for a narrow tile, to cents from one unit on, else to hundredths of a cent: `$12.35`, `$0.0806`. */
export function formatRoundedMoney(amount: number, currency: string): string {
  return formatMoney(Number(amount.toFixed(Math.abs(amount) < 1 ? 4 : 2)), currency);
}

/** The same with a leading sign, for ledger entries. */
export function formatSignedMoney(amount: number, currency: string): string {
  const absolute = formatMoney(Math.abs(amount), currency);
  if (amount === 0) return absolute;
  return amount > 0 ? `+${absolute}` : `−${absolute}`;
}

/** `3:07`; from one hour, `1:03:07`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = String(rest).padStart(2, '0');
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}

/** A duration with units: `3 min 7 s`, `45 s`, `2 h 5 min`. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return whole % 60 === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3_600);
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}

/** Grouped for reading: `+1 202 555 0143`; numbers outside North America in groups of three. */
export function formatPhoneNumber(number: string): string {
  const american = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number);
  if (american) return `+1 ${american.slice(1).join(' ')}`;
  const digits = number.replace(/^\+/, '');
  return `+${digits.slice(0, 2)} ${digits.slice(2).replace(/(\d{3})(?=\d{2})/g, '$1 ')}`;
}
