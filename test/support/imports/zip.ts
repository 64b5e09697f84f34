import { deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content?: string | Buffer;
  /** What differs from a sound archive. */
  flags?: number;
  mode?: number;
  size?: number;
  packedSize?: number;
  /** Fields of the directory beside the usual ones. */
  extra?: Buffer;
  method?: number;
  crc?: number;
  /** The entry whose bytes it has in place of its own. */
  sameAs?: number;
}

type Files = Record<string, string | Buffer> | ZipEntry[];

/** A ZIP archive, or something that looks like one: its entries may lie. */
export function zipOf(files: Files): Buffer {
  const entries = Array.isArray(files) ? files : Object.entries(files).map(([name, content]) => ({ name, content }));
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const entry of entries as ZipEntry[]) {
    const { name, content = '', flags = 0, mode = 0o100644, method = 8, extra = Buffer.alloc(0), sameAs } = entry;
    const bytes = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const sum = entry.crc ?? crcOf(bytes);
    const fields = [flags | 0x800, method, 0, 0x5a21];
    const sizes = [sum, entry.packedSize ?? packed.length, entry.size ?? bytes.length];
    const path = Buffer.from(name);
    const at = sameAs === undefined ? offset : (offsets[sameAs] as number);
    offsets.push(at);
    if (sameAs === undefined) {
      const local = Buffer.concat([
        words(0x04034b50),
        halves(20, ...fields),
        words(...sizes),
        halves(path.length, 0),
        path,
        packed,
      ]);
      parts.push(local);
      offset += local.length;
    }
    central.push(
      Buffer.concat([
        words(0x02014b50),
        halves(0x031e, 20, ...fields),
        words(...sizes),
        halves(path.length, extra.length, 0, 0, 0),
        words((mode << 16) >>> 0, at),
        path,
        extra,
      ]),
    );
  }
  const directory = Buffer.concat(central);
  const end = Buffer.concat([
    words(0x06054b50),
    halves(0, 0, entries.length, entries.length),
    words(directory.length, offset),
    halves(0),
  ]);
  return Buffer.concat([...parts, directory, end]);
}

const crcOf = (bytes: Buffer): number => {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
};

function halves(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, 2 * at);
  return bytes;
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, 4 * at);
  return bytes;
}
