import { createHash } from 'node:crypto';
import type { HasLinks } from '../../../shared/blobs/links.js';
import type { HasBlobs } from '../../../shared/blobs/port.js';
import type { BlobOfFile, DescribedFile } from '../../../shared/contract/archive.js';
import type { HasConfig } from '../site/urls.js';

export type HasSiteFiles = HasBlobs & HasLinks & HasConfig;

/** Bytes of a file that archives take along; larger ones stay where their addresses lead. */
const maxBytes = 10_000_000;

/** A file of a site, by its content and the name that its address had. */
export const siteFilePattern = /^sites\/files\/([0-9a-f]{64})\/((?!\.{1,2}$)[^/\\\p{C}]{1,60})$/u;

/** The value with each of its texts changed, in values in it as well. */
export function replaceTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => replaceTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceTexts(each, change)]));
}

/** Finds what to put in place of the texts of a value, and puts it there. */
async function exchangeTexts<V>(value: V, find: (text: string) => Promise<string | undefined>) {
  const texts = new Set<string>();
  replaceTexts(value, (text) => {
    texts.add(text);
    return text;
  });
  const found = new Map<string, string>();
  for (const text of texts) {
    const other = await find(text);
    if (other !== undefined) found.set(text, other);
  }
  return { value: replaceTexts(value, (text) => found.get(text) ?? text) as V, found };
}

/** Settings with names of files in place of addresses of this server, and these names. Only an address that this server signed gives a file. */
export async function withFileNames<S>(deps: HasSiteFiles, settings: S): Promise<{ settings: S; files?: string[] }> {
  const { value, found } = await exchangeTexts(settings, (text) => fileNameOf(deps, text));
  return { settings: value, ...(found.size > 0 ? { files: [...new Set(found.values())].sort() } : {}) };
}

/** The name of the file that an address which this server signed, whatever its host, leads to for good; undefined for any other text, and where the file is gone or too large. */
async function fileNameOf({ blobs, links }: HasSiteFiles, text: string): Promise<string | undefined> {
  if (!text.includes('/~files/') || !URL.canParse(text)) return undefined;
  const { pathname, searchParams } = new URL(text);
  const [id, encoded] = pathname.split('/').slice(-2) as [string, string];
  const path = `sites/files/${id}/${decoded(encoded)}`;
  const [, , name] = siteFilePattern.exec(path) ?? [];
  const linked = name === undefined ? null : links.verify(id, name, searchParams);
  if (!linked || linked.skip !== undefined || linked.until !== undefined) return undefined;
  const size = await blobs.size(id);
  return size !== null && size > 0 && size <= maxBytes ? path : undefined;
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return '';
  }
}

/** The blobs of the files that a line names. */
export const blobsOfLine = (_: unknown, { files = [] }: { files?: string[] }): BlobOfFile[] =>
  files.map((path) => ({ path, blob: blobOf(path) }));

const blobOf = (path: string): string => siteFilePattern.exec(path)?.[1] ?? '';

/** The files that a line names, each with the content of its name. */
export const filesOfLine = ({ files = [] }: { files?: string[] | undefined }): DescribedFile[] =>
  files.map((path) => ({
    field: 'files',
    path,
    maxBytes,
    problemOf: (content) =>
      createHash('sha256').update(content).digest('hex') === blobOf(path)
        ? undefined
        : 'its name must have the hash of its content',
  }));

/** Settings with addresses of this server in place of names of files, which are kept. */
export async function withAddresses<S>(
  { blobs, links, config }: HasSiteFiles,
  settings: S,
  files: Record<string, string>,
): Promise<S> {
  const { value } = await exchangeTexts(settings, async (text) => {
    const id = Object.hasOwn(files, text) ? (files[text] as string) : undefined;
    const content = id === undefined ? null : await blobs.open(id);
    if (id === undefined || !content) return undefined;
    await blobs.put(content);
    return `${config.baseUrl}${links.signedPathOf({ id, name: text.slice(text.lastIndexOf('/') + 1) })}`;
  });
  return value;
}
