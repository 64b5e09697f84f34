import { refusal } from './refused.js';

export interface SentText {
  bytes: Uint8Array;
  /** The `Content-Type` header that came with it. */
  contentType?: string | undefined;
}

const marks: [charset: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Where HTML may say its encoding. */
const head = 2048;

/**
 * The text of bytes in the encoding that they say: by a byte order mark, the header, or an HTML `meta`; else UTF-8, or
 * windows-1252 where it is not that. Throws 422 for an unknown encoding, and for what is no text.
 */
export function decodeText({ bytes, contentType = '' }: SentText): string {
  const marked = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  const said = marked ?? /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1] ?? charsetInMeta(bytes);
  const text = said === undefined ? decodeByGuess(bytes) : decodeWith(decoderFor(said), bytes);
  if (text.includes('\0')) throw refusal('url: the answer is not a text');
  return text;
}

function decoderFor(charset: string) {
  try {
    return new TextDecoder(charset);
  } catch {
    throw refusal(`url: the encoding ${charset.slice(0, 40)} is not known`);
  }
}

/** The character set in a `meta` element. A page whose element can be read as ASCII cannot be in UTF-16. */
function charsetInMeta(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, head)).toString('latin1');
  const said = /<meta\s[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([^\s;"'/>]{1,40})/i.exec(start)?.[1];
  return said && /^utf-?16/i.test(said) ? 'utf-8' : said;
}

function decodeByGuess(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWith(new TextDecoder('windows-1252'), bytes);
  }
}

/** The signs of windows-1252 from 0x80 on: some versions of Node read them as those of ISO 8859-1. */
const signs = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function decodeWith(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (decoder.encoding !== 'windows-1252') return text;
  return text.replace(/[\u0080-\u009f]/g, (sign) => signs[sign.charCodeAt(0) - 0x80] as string);
}
