import { invalid } from '../../../shared/errors/errors.js';
import type { UploadedFile } from '../frame/form-fields.js';
import type { ScreenRequest } from '../frame/screen.js';
import { endOfFrontMatter } from '../sources/front-matter.js';
import { fill } from '../words/languages.js';

/** Files that a form may send: as many as one change of content may bring. */
const maxFiles = 50;
const maxBytes = 1_000_000;
/** Files of one `insert_files`. */
const filesAtOnce = 20;

const isPage = ({ name }: UploadedFile): boolean => /\.(?:md|markdown)$/i.test(name);

/** The changes that add files: a page for each Markdown file, and the others as files. Throws 400 for none, too many or too large ones. */
export function changesOfFiles({ words: { imports } }: Pick<ScreenRequest, 'words'>, files: readonly UploadedFile[]) {
  if (files.length === 0) throw invalid(imports.noFiles);
  if (files.length > maxFiles) throw invalid(fill(imports.tooManyFiles, maxFiles));
  const large = files.find(({ bytes }) => bytes.length > maxBytes);
  if (large) throw invalid(fill(imports.tooLarge, large.name));
  const pages = files.filter(isPage).map(({ name, bytes }) => {
    const markdown = bytes.toString();
    return { operation: 'insert_page' as const, title: titleOf(name, markdown), document: { markdown } };
  });
  return [...insertedFiles(files.filter((file) => !isPage(file))), ...pages];
}

/** A heading with which a text begins. */
const firstHeading = /^\uFEFF?\s{0,100}# +([^\r\n]{1,255})(?:\r|\n|$)/;

/** The title of a page from a file: its first heading, else the name of the file. The front matter of the file goes before. */
function titleOf(name: string, markdown: string): string {
  const body = markdown.slice(endOfFrontMatter(markdown) ?? 0).replace(/^---[ \t]*(?:\r\n?|\n|$)/, '');
  return firstHeading.exec(body)?.[1]?.trim() || name.replace(/\.[^.]+$/, '').slice(0, 255) || name.slice(0, 255);
}

/** The changes that add files to a space. */
export function insertedFiles(files: readonly UploadedFile[]) {
  const changes = [];
  for (let at = 0; at < files.length; at += filesAtOnce)
    changes.push({
      operation: 'insert_files' as const,
      files: files.slice(at, at + filesAtOnce).map(({ name, contentType, bytes }) => ({
        name,
        base64: bytes.toString('base64'),
        contentType: contentType || 'application/octet-stream',
      })),
    });
  return changes;
}
