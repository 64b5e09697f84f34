import { isUtf8 } from 'node:buffer';
import { visit } from 'jsonc-parser';
import sjson from 'secure-json-parse';
import { invalid } from '../../../../shared/errors.js';
import { jsonExcess } from '../../../../shared/text/json-extent.js';

/** Reads a body of JSON. Throws 400. */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('the body: not UTF-8');
  const excess = jsonExcess(bytes);
  if (excess) throw invalid(`the body: ${excess}`);
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
