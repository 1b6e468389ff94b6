/** An ILIKE pattern for texts that contain this one; `%`, `_` and the backslash are escaped. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}
