import { isUtf8 } from 'node:buffer';
import { visit } from 'jsonc-parser';
import sjson from 'secure-json-parse';
import { invalid } from '../../../../shared/errors.js';

/** More levels than any document has. The bus would overflow its stack at about a hundred times as many. */
const deepest = 500;

/** Of all objects and arrays together: checking each against its schema takes time. */
const mostValues = 10_000;

/** Reads a body of JSON. Throws 400. */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('the body: not UTF-8');
  checkExtent(bytes);
  return parseJson(bytes.toString());
}

function parseJson(text: string): unknown {
  try {
    return sjson.parse(text, undefined, { protoAction: 'remove', constructorAction: 'remove' });
  } catch {
    throw invalid(`the body: not JSON${placeOfFault(text)}`);
  }
}

/** Where a text stops being JSON, in words; empty where it is nested too deeply to find out. */
function placeOfFault(text: string): string {
  let fault: number | undefined;
  const stopAt = (offset: number) => {
    fault = offset;
    throw new Error('found');
  };
  try {
    visit(text, { onError: (_, offset) => stopAt(offset) }, { disallowComments: true });
  } catch {
    // Thrown by `stopAt`, or the stack has overflowed.
  }
  if (fault === undefined) return '';
  const before = text.slice(0, fault).split('\n');
  if (fault === text.length) return ', it ends too early';
  return `, at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

const [quote, backslash, comma, space] = [0x22, 0x5c, 0x2c, 0x20];
const opening = new Set([...'[{'].map((sign) => sign.charCodeAt(0)));
const closing = new Set([...']}'].map((sign) => sign.charCodeAt(0)));

/** Looks at the text alone: to parse a megabyte of small values takes 20 ms, and others wait. */
function checkExtent(text: Buffer): void {
  let [depth, values, last] = [0, 1, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as number;
    if (sign <= space) continue;
    if (sign === quote) at = endOfString(text, at);
    else if (sign === comma) values += 1;
    else if (opening.has(sign)) {
      values += 1;
      if (++depth > deepest) throw invalid(`the body: nested more than ${deepest} levels deep`);
    } else if (closing.has(sign)) {
      depth -= 1;
      if (opening.has(last)) values -= 1;
    }
    last = sign;
    if (values > mostValues) throw invalid(`the body: more than ${mostValues} values`);
  }
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
