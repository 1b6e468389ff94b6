/** A pattern for ILIKE that matches what contains this text; `%`, `_` and the backslash stand for themselves. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}
