/** Keeps a value, at most `limit` of them: the oldest goes first. */
export function keep<K, V>(map: Map<K, V>, key: K, value: V, limit: number): V {
  if (map.size >= limit) {
    const oldest = map.keys().next();
    if (oldest.done !== true) map.delete(oldest.value);
  }
  map.set(key, value);
  return value;
}
