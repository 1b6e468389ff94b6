/** A table in Markdown. Cells may contain line breaks and pipes. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`;
}

function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n+\s*/g, ' ')
    .trim();
}

export const code = (text: string): string => `\`${text}\``;
export const codes = (texts: readonly string[]): string => texts.map(code).join(', ');
export const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

/** Text of the code in Markdown that VitePress compiles: outside of code, Vue would read braces and tags. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('{{', '&#123;&#123;').replaceAll('<', '&lt;')))
    .join('');
}
