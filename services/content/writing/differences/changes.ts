import type { BothSides, ChangeKind } from '../contract/differences.js';

/** Says what became of a thing: with another `name` it is renamed, with another value of a field in `holds` it is edited. */
export function changesOf<T extends object>(
  { before, after }: { [S in keyof BothSides<T>]: T | undefined },
  { name, holds }: { name: keyof T; holds: readonly (keyof T)[] },
): ChangeKind[] {
  if (before === undefined) return ['added'];
  if (after === undefined) return ['removed'];
  const changes: ChangeKind[] = [];
  if (holds.some((field) => before[field] !== after[field])) changes.push('edited');
  if (before[name] !== after[name]) changes.push('renamed');
  return changes;
}
