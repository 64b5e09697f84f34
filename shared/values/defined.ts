/** Copies an object without the keys whose value is undefined, so that none is stored, sent or listed. */
export const omitUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
