/** The path of a request target, also in absolute form (`http://host/path`), which RFC 9112 section 3.2.2 requires. */
export function targetPath(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1);
  return path === '' ? '/' : path;
}
