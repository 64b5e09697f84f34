export const fontFormats = ['woff2', 'woff', 'ttf', 'otf'] as const;
export type FontFormat = (typeof fontFormats)[number];

/** Bytes at the start of a font file that tell its format. */
export const fontHeaderBytes = 12;

const signatures: Record<string, FontFormat> = {
  wOF2: 'woff2',
  wOFF: 'woff',
  '\0\u0001\0\0': 'ttf',
  true: 'ttf',
  OTTO: 'otf',
};

/**
 * The format of a font file by its first bytes and its size; null for what is none. The header of the web formats says how long the file is; that of
 * the others how many tables it has, whose directory must be in the file.
 */
export function fontFormatOf(header: Buffer, size: number): FontFormat | null {
  if (header.length < fontHeaderBytes) return null;
  const format = signatures[header.toString('latin1', 0, 4)];
  if (format === undefined) return null;
  if (format === 'woff2' || format === 'woff') return header.readUInt32BE(8) === size ? format : null;
  const tables = header.readUInt16BE(4);
  return tables > 0 && fontHeaderBytes + 16 * tables <= size ? format : null;
}
