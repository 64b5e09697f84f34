/** A place where a writer and others changed a text, each differently. */
export interface Conflict {
  /** Where `mine` stands in the merged text. */
  at: number;
  base: string;
  mine: string;
  theirs: string;
}

export type Choice = 'mine' | 'theirs' | 'both';

/** The merged text with what was chosen for each conflict, in their order. */
export function settle(merged: string, conflicts: readonly Conflict[], choices: readonly Choice[]): string {
  let out = '';
  let done = 0;
  for (const [number, { at, mine, theirs }] of conflicts.entries()) {
    const choice = choices[number] ?? 'mine';
    out += merged.slice(done, at);
    out += choice === 'mine' ? mine : choice === 'theirs' ? theirs : joined(mine, theirs);
    done = at + mine.length;
  }
  return out + merged.slice(done);
}

/** One after the other, each on lines of its own. */
const joined = (mine: string, theirs: string): string =>
  mine === '' || /[\r\n]$/.test(mine) ? mine + theirs : `${mine}\n${theirs}`;
