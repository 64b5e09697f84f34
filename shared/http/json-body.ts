import { isUtf8 } from 'node:buffer';
import { visit } from 'jsonc-parser';
import sjson from 'secure-json-parse';
import { invalid } from '../errors/errors.js';
import { jsonExcess } from '../text/json-extent.js';
import { pathText } from '../text/schema-messages.js';
import { placeOfHalf } from '../text/well-formed.js';

/** Reads a body of JSON. Throws 400. */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('the body: not UTF-8');
  const excess = jsonExcess(bytes);
  if (excess) throw invalid(`the body: ${excess}`);
  const text = bytes.toString();
  const value = parseJson(text);
  if (halfEscape.test(text)) checkWhole(value);
  return value;
}

/** Only an escape makes half of a surrogate pair in UTF-8. */
const halfEscape = /\\ud[89a-f]/i;

/** Databases, and other programs, refuse what is no Unicode. */
function checkWhole(value: unknown): void {
  const place = placeOfHalf(value);
  if (place) throw invalid(`${pathText(place) || 'the body'}: has half of a surrogate pair, which is no character`);
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
  const stopAtFault = (offset: number) => {
    fault = offset;
    throw new Error('found');
  };
  try {
    visit(text, { onError: (_, offset) => stopAtFault(offset) }, { disallowComments: true });
  } catch {
    // Thrown by `stopAtFault`, or the stack has overflowed.
  }
  if (fault === undefined) return '';
  const before = text.slice(0, fault).split('\n');
  if (fault === text.length) return ', it ends too early';
  return `, at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
