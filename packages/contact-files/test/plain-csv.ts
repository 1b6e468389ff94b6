/** CSV as in RFC 4180, read character by character from a whole text: an independent reading for tests. */
export function readPlainCsv(text: string, separator: string): readonly { line: number; cells: readonly string[] }[] {
  const rows: { line: number; cells: string[] }[] = [];
  let line = 1;
  let row = { line, cells: [''] };
  let isQuoted = false;
  const append = (character: string) => row.cells.push(`${row.cells.pop() ?? ''}${character}`);
  const characters = Array.from(text.replace(/^\uFEFF/, ''));
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    const isBreak = character === '\n' || character === '\r';
    const breaks = character === '\r' && characters[at + 1] === '\n' ? '\r\n' : character;
    if (isBreak) {
      line += 1;
      at += breaks.length - 1;
    }
    if (isQuoted) {
      if (character !== '"') append(breaks);
      else if (characters[at + 1] !== '"') isQuoted = false;
      else {
        append('"');
        at += 1;
      }
    } else if (character === '"' && row.cells.at(-1) === '') isQuoted = true;
    else if (character === separator) row.cells.push('');
    else if (isBreak) {
      rows.push(row);
      row = { line, cells: [''] };
    } else append(character);
  }
  return [...rows, row].filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}
