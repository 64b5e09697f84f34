/** Copies an object without the keys whose value is undefined, so that none is stored, sent or listed. */
export function omitUndefined<T extends object>(fields: T): T {
  const all = {} as T;
  for (const key of Object.keys(fields) as (keyof T)[]) if (fields[key] !== undefined) all[key] = fields[key];
  return all;
}
