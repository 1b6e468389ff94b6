/** C0 except tab and line feed, DEL, and C1, in which terminals read U+009B as the start of a control sequence. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;
/** C1 and DEL alone: C0 carries the colors. */
const C1_CONTROLS = /[\u007F-\u009F]/g;

/**
 * Escapes each control character as JSON does (`\u009b`), so that stored text cannot control the terminal that shows
 * it. JSON keeps its value: its line feeds and tabs are whitespace between tokens.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** The same for colored text: leaves C0 unchanged. */
export function escapeC1Controls(text: string): string {
  return text.replace(C1_CONTROLS, escaped);
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
