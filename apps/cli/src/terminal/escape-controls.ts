/** C0 but for tab and line feed, DEL, and C1, by which a terminal takes U+009B for the start of a control sequence. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;
/** Without C0, which carries the colours. */
const C1_CONTROLS = /[\u007F-\u009F]/g;

/**
 * Writes each control character as JSON does (`\u009b`), so that stored text cannot control the terminal that shows it.
 * JSON stays the same value: its own line feeds and tabs stand between tokens.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** The same for text that has colours: leaves C0 as it is. */
export function escapeC1Controls(text: string): string {
  return text.replace(C1_CONTROLS, escaped);
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
