const [quote, backslash, comma, space] = [0x22, 0x5c, 0x2c, 0x20];
const opening = new Set([...'[{'].map((sign) => sign.charCodeAt(0)));
const closing = new Set([...']}'].map((sign) => sign.charCodeAt(0)));

/** More levels than any document has. The bus would overflow its stack at about a hundred times as many. */
const maxDepth = 500;

/** Values in all objects and arrays together: checking each against its schema takes time. */
const maxValues = 10_000;

/**
 * Why a text of JSON is not to be parsed; undefined where it may be. Looks at the text alone: to parse a megabyte of small values takes 20 ms, and
 * others wait.
 */
export function jsonExcess(text: Buffer, max = maxValues): string | undefined {
  let [depth, values, last] = [0, 1, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as number;
    if (sign <= space) continue;
    if (sign === quote) at = endOfString(text, at);
    else if (sign === comma) values += 1;
    else if (opening.has(sign)) {
      values += 1;
      if (++depth > maxDepth) return `nested more than ${maxDepth} levels deep`;
    } else if (closing.has(sign)) {
      depth -= 1;
      if (opening.has(last)) values -= 1;
    }
    last = sign;
    if (values > max) return `more than ${max} values`;
  }
  return undefined;
}

/** The place of the quote that ends the string which begins at `start`. */
function endOfString(text: Buffer, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf(quote, end + 1);
    if (end < 0) return text.length;
    let escapes = end;
    while (text[escapes - 1] === backslash) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
  }
}
