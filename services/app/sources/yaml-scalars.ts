/** A value with the length that it takes on its first line. */
interface ReadScalar {
  value: string | boolean;
  length: number;
}

/** Reads the value that stands behind a key, with the lines that follow; undefined for one that is no simple text. */
export function readScalar(written: string, following: readonly string[]): ReadScalar | undefined {
  const block = /^([|>])([-+]?)[ \t]*(?:#.*)?$/.exec(written);
  if (block) return readBlock(following, { isFolded: block[1] === '>', length: written.length });
  if (following.some((line) => !/^[ \t]*(?:#|$)/.test(line))) return undefined;
  return readQuoted(written) ?? readPlain(written);
}

/** A text of several lines: the spaces before the first one are not part of it. */
function readBlock(
  lines: readonly string[],
  { isFolded, length }: { isFolded: boolean; length: number },
): ReadScalar | undefined {
  const indent = lines.find((line) => line.trim() !== '')?.search(/[^ ]/) ?? 0;
  const texts = lines.map((line) => line.slice(indent));
  // Lines that go in further are not folded, and blank ones stay: a form would lose that.
  if (isFolded && texts.some((line) => /^[ \t]|^$/.test(line))) return undefined;
  if (lines.some((line) => line.slice(0, indent).trim() !== '')) return undefined;
  return { value: texts.join(isFolded ? ' ' : '\n').trimEnd(), length };
}

function readQuoted(written: string): ReadScalar | undefined {
  const single = /^'((?:[^']|'')*)'(?=[ \t]*(?: #.*)?$)/.exec(written);
  if (single) return { value: (single[1] as string).replaceAll("''", "'"), length: single[0].length };
  const double = /^"(?:[^"\\]|\\.)*"(?=[ \t]*(?: #.*)?$)/.exec(written);
  if (!double) return undefined;
  try {
    return { value: JSON.parse(double[0]) as string, length: double[0].length };
  } catch {
    // It has an escape that JSON does not know.
    return undefined;
  }
}

function readPlain(written: string): ReadScalar | undefined {
  const text = written.replace(/(?:^|[ \t]+)#.*$/, '').trimEnd();
  if (/^[[\]{}&*!|>%@`"'#,]|^[-?:](?:[ \t]|$)|:(?:[ \t]|$)|\t/.test(text)) return undefined;
  if (/^(?:true|false)$/i.test(text)) return { value: text.toLowerCase() === 'true', length: text.length };
  return { value: /^(?:~|null)$/i.test(text) ? '' : text, length: text.length };
}

const plain = /^[\p{L}][\p{L}\p{M}\p{N} ,.()/'_-]*$/u;
/** Words that YAML reads as something else, also in its earlier version. */
const special = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

/** A value as YAML on one line. */
export function writeScalar(value: string | boolean): string {
  if (typeof value === 'boolean') return String(value);
  if (plain.test(value) && !special.test(value) && value === value.trim()) return value;
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028\u2029\uFEFF]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
