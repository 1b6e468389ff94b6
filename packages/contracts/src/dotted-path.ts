/** The dotted name of a value in a request's body, such as `variables.name`. An empty name is shown as `""`. */
export function dottedPath(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'body' : path.map((part) => (part === '' ? '""' : String(part))).join('.');
}
