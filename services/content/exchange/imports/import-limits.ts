import { apiError, markLasting } from '../../../../shared/errors/errors.js';
import type { SourceFile } from '../git/tree/source-tree.js';

/** Bytes of a page, a table of contents or a file of settings. */
export const maxPageSize = 2_000_000;
export const maxPages = 20_000;
export const maxFiles = 50_000;
/** Bytes of all pages together, at each of their paths. */
const maxPageBytes = 200_000_000;
/** Bytes of all files together, unpacked. */
const maxFileBytes = 4_000_000_000;

/** Another attempt of the import would end the same way. */
const tooMuchRefusal = (message: string) => markLasting(apiError('UNPROCESSABLE', message));

/** Throws 422 for more pages than a space may have, before any is read: a small repository may list a page very often. */
export function checkPages(files: readonly SourceFile[]): void {
  let bytes = 0;
  for (const [index, { path, size }] of files.entries()) {
    bytes += size;
    if (index >= maxPages)
      throw tooMuchRefusal(`${path}: a space may have ${maxPages} pages; there are ${files.length}`);
    if (bytes > maxPageBytes)
      throw tooMuchRefusal(
        `${path}: with it, the pages have more than ${maxPageBytes / 1_000_000} MB, which a space may have`,
      );
  }
}

/** Throws 422 for more pages in a table of contents than a space may have. */
export function checkOutline(pages: number, path: string): void {
  if (pages > maxPages) throw tooMuchRefusal(`${path}: a space may have ${maxPages} pages; ${pages} are listed`);
}

/** Throws 422 for more files than a space may have. Returns their unpacked bytes; equal files count once. */
export function checkFiles(files: readonly SourceFile[]): number {
  const counted = new Set<string>();
  let bytes = 0;
  for (const [index, { path, oid, size }] of files.entries()) {
    if (!counted.has(oid)) bytes += size;
    counted.add(oid);
    if (index >= maxFiles)
      throw tooMuchRefusal(`${path}: a space may have ${maxFiles} files; there are ${files.length}`);
    if (bytes > maxFileBytes)
      throw tooMuchRefusal(
        `${path}: with it, the files have more than ${maxFileBytes / 1e9} GB, which a space may have`,
      );
  }
  return bytes;
}
