/** A file of an archive that an operation answers: as text, in base64, or by the signed path of a blob. */
export type ZippedFile = { path: string } & ({ text: string } | { base64: string } | { blob: string });

/** Files as the lines of a piece. */
export const zippedLines = (files: readonly ZippedFile[]): string =>
  files.map((file) => `${JSON.stringify(file)}\n`).join('');
