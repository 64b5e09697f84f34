/** A part of a text, and what is written in its place. */
export interface Replacement {
  from: number;
  to: number;
  text: string;
}

/** The text with its parts replaced, which come in order; one that begins within another is left out. All else stays. */
export function withReplacements(text: string, replacements: Iterable<Replacement>): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to, text: instead } of replacements) {
    if (from < done) continue;
    parts.push(text.slice(done, from), instead);
    done = to;
  }
  parts.push(text.slice(done));
  return parts.join('');
}
