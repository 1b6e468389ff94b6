/** The name of a value in a request's body: `variables.name`. A name that is empty is shown as `""`. */
export function dottedPath(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'body' : path.map((part) => (part === '' ? '""' : String(part))).join('.');
}
