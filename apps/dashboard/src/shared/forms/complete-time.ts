const TIME = /^(\d{1,2})(?:[:.]?(\d\d))?\s*(?:-|–|—|to|until)\s*(\d{1,2})(?:[:.]?(\d\d))?$/i;

/** `8-21`, `8:00 – 21:00` and `0800-2100` as the API has them. Another text stays, and is an error. */
export function completeTime(text: string): string {
  const found = TIME.exec(text.trim());
  if (found === null) return text.trim();
  const [, fromHour = '', fromMinute = '00', toHour = '', toMinute = '00'] = found;
  return `${fromHour.padStart(2, '0')}:${fromMinute}-${toHour.padStart(2, '0')}:${toMinute}`;
}
