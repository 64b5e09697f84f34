import type { z } from 'zod';
import { type Problem, pathText, problemsOf, safeParse } from '../../../../../shared/text/schema-messages.js';
import { refusal } from '../../conversion/refused.js';
import { type Files, quotedPath, throwDamaged } from './archive-file.js';

/** Bytes of a line: the manifest of an integration may take 1 MB. */
const maxLine = 2_000_000;

/** The lines of a file, one after the other. */
export async function* eachTextLine(files: Files, path: string): AsyncGenerator<string> {
  yield* linesOf(await files.open(path), path);
}

/** The lines of a stream. Throws 422 for one that is too long, for text that is no UTF-8, and for what is cut off. */
export async function* linesOf(source: AsyncIterable<Buffer>, path: string): AsyncGenerator<string> {
  let held: Buffer[] = [];
  let size = 0;
  let line = 1;
  try {
    for await (const piece of source) {
      let from = 0;
      for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, from)) {
        held.push(piece.subarray(from, at));
        if (size + at - from > maxLine) throw tooLong(path, line);
        yield decode(Buffer.concat(held), path, line++);
        [held, size, from] = [[], 0, at + 1];
      }
      held.push(piece.subarray(from));
      size += piece.length - from;
      if (size > maxLine) throw tooLong(path, line);
    }
  } catch (error) {
    throwDamaged(error, path);
  }
  if (size > 0) throw refusal(`${quotedPath(path)} line ${line}: is cut off`);
}

const newline = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const tooLong = (path: string, line: number) =>
  refusal(`${quotedPath(path)} line ${line}: is longer than ${maxLine} bytes`);

function decode(bytes: Buffer, path: string, line: number): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refusal(`${quotedPath(path)} line ${line}: is no UTF-8`);
  }
}

/** Reads JSON that has the shape of a schema. `where` begins the message of a refusal. */
export function readShaped<L>(text: string, schema: z.ZodType<L>, where: string): L {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal(`${where}: is no JSON`);
  }
  const checked = safeParse(schema, value);
  if (!checked.success) {
    const [{ path, message }] = problemsOf(checked.error.issues) as [Problem];
    throw refusal(`${where}: ${path.length > 0 ? `${pathText(path)}: ` : ''}${message}`);
  }
  // As it was written, also in the order of its fields: an export of it is the same again.
  return value as L;
}

/** The lines of a list as values of a shape. */
export async function* eachLineOf<L>(files: Files, path: string, schema: z.ZodType<L>): AsyncGenerator<L> {
  let line = 0;
  for await (const text of eachTextLine(files, path))
    yield readShaped(text, schema, `${quotedPath(path)} line ${++line}`);
}

/** The bytes of a file. */
export async function readBytes(files: Files, path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of await files.open(path)) pieces.push(piece as Buffer);
  } catch (error) {
    throwDamaged(error, path);
  }
  return Buffer.concat(pieces);
}
