import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { sha256, sha256InSlices } from '../values/ids.js';
import { eachInSlices } from '../work/slices.js';

declare const mark: unique symbol;
/** The response schema of an operation whose handler returns its answer encoded. */
export type EncodedSchema = { readonly [mark]: true };

/** Declares that an operation's answer may be long: its handler returns it `Encoded`. */
export const encodedAnswer = <S extends z.ZodType>(response: S): S & EncodedSchema => response as S & EncodedSchema;

/** Characters of a body from which on an answer for a browser travels encoded. */
const longBody = 200_000;

/** Encodes an answer for a browser where it is long. */
export const encodedIfLong = <A extends { body?: string }>(answer: A): A | Encoded<A> =>
  (answer.body?.length ?? 0) > longBody ? Encoded.of(answer) : answer;

/** An answer of type `A` that is JSON already. One may be sent to many readers: nobody changes its bytes. */
export class Encoded<A = unknown> {
  declare readonly answer?: A;
  #name: string | undefined;

  constructor(
    /** JSON in UTF-8. */
    readonly bytes: Buffer,
    name?: string,
  ) {
    this.#name = name;
  }

  static of<A>(answer: A): Encoded<A> {
    return new Encoded(Buffer.from(JSON.stringify(answer)));
  }

  /** Encodes bytes that may be many: hashes them in slices for their name, so that no other request waits for it. */
  static async ofNamedBytes<A>(bytes: Buffer): Promise<Encoded<A>> {
    return new Encoded(bytes, await sha256InSlices(bytes));
  }

  /** Equal for equal bytes: their SHA-256, in hexadecimal. */
  get name(): string {
    this.#name ??= sha256(this.bytes);
    return this.#name;
  }

  decode(): A {
    return JSON.parse(this.bytes.toString()) as A;
  }
}

const commaByte = Buffer.from(',');

/** Encodes an object of some fields and a list of what is encoded already. */
export function joinEncoded<A>(fields: object, name: string, items: readonly Encoded[]): Encoded<A> {
  const [start = '', end = ''] = splitAtList(fields, name);
  const parts = items.flatMap(({ bytes }, at) => (at === 0 ? [bytes] : [commaByte, bytes]));
  return new Encoded(Buffer.concat([Buffer.from(start), ...parts, Buffer.from(end)]));
}

/** The JSON of an object with an empty list, before and after where its items stand. */
function splitAtList(fields: object, name: string): string[] {
  const json = JSON.stringify({ ...fields, [name]: [] });
  return [json.slice(0, -2), json.slice(-2)];
}

/** The JSON of an object in pieces: its short fields, then its long lists, whose items come as JSON in pieces. */
export function* objectJson(fields: object, lists: Record<string, Iterable<Iterable<string>>>): Generator<string> {
  const own = JSON.stringify(fields);
  yield own.slice(0, -1);
  let comma = own === '{}' ? '' : ',';
  for (const [name, items] of Object.entries(lists)) {
    yield `${comma}${JSON.stringify(name)}:[`;
    comma = ',';
    let between = '';
    for (const item of items) {
      yield between;
      yield* item;
      between = ',';
    }
    yield ']';
  }
  yield '}';
}

/** Characters that become bytes at a time. */
const pieceLength = 65_536;

/** Encodes a long answer whose JSON comes in pieces, in slices, so that it holds up no other request. */
export async function encodeInSlices<A>(pieces: Iterable<string>): Promise<Encoded<A>> {
  const parts: Buffer[] = [];
  const hash = createHash('sha256');
  let text = '';
  const flushPart = () => {
    const part = Buffer.from(text);
    hash.update(part);
    parts.push(part);
    text = '';
  };
  await eachInSlices(pieces, (piece) => {
    text += piece;
    if (text.length >= pieceLength) flushPart();
  });
  flushPart();
  return new Encoded(Buffer.concat(parts), hash.digest('hex'));
}
