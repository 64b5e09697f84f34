/** About how many bytes of memory a JSON value takes. */
export function estimateMemory(value: unknown): number {
  let bytes = 0;
  const open = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each === 'string') bytes += 24 + 2 * each.length;
    else bytes += 8;
    if (typeof each !== 'object' || each === null) continue;
    bytes += 32;
    for (const part of Object.values(each)) if (part !== undefined) open.push(part);
  }
  return bytes;
}
