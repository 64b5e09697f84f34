/** The items by their keys, in their order, as `Map.groupBy` of later Nodes does it. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const same = groups.get(key);
    if (same) same.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
