import { contentType } from 'mime-types';
import type { BlobLinks, LinkedBlob } from '../../../../shared/blobs/links.js';
import type { Blobs } from '../../../../shared/blobs/port.js';
import { Encoded } from '../../../../shared/contract/encoded.js';
import type { FileContent, ReadFiles } from '../contract/printing.js';

/** Paths of one question. */
const maxPaths = 100;
/** Bytes of one question, whatever it asks for. */
const maxTotal = 16 * 1024 * 1024;

/** The content of files by their signed paths, as far as it fits. */
export async function readShownFiles(
  { blobs, links }: { blobs: Blobs; links: BlobLinks },
  { paths, maxBytes }: ReadFiles,
): Promise<Encoded<(FileContent | null)[]>> {
  let room = Math.min(maxBytes, maxTotal);
  const files: (FileContent | null)[] = [];
  for (const path of paths.slice(0, maxPaths)) {
    const link = linkAt(links, path);
    const size = link && (await blobs.size(link.id));
    const content = link && size !== null && size <= room ? await blobs.read(link.id) : null;
    room -= content?.length ?? 0;
    files.push(link && content ? presentFile(link, content) : null);
  }
  return Encoded.of(files);
}

function presentFile({ name, skip = 0 }: LinkedBlob, content: Buffer): FileContent {
  return { contentType: contentType(name) || 'application/octet-stream', base64: content.toString('base64', skip) };
}

/** The blob of a signed path; null for a path that was not signed here. */
function linkAt(links: BlobLinks, path: string): LinkedBlob | null {
  const base = 'http://files.invalid';
  if (!path.startsWith('/') || !URL.canParse(path, base)) return null;
  const { pathname, searchParams } = new URL(path, base);
  const [, id, encoded] = /^\/~files\/([0-9a-f]{64})\/([^/]+)$/.exec(pathname) ?? [];
  if (id === undefined || encoded === undefined) return null;
  try {
    return links.verify(id, decodeURIComponent(encoded), searchParams);
  } catch {
    // A percent sign that encodes nothing.
    return null;
  }
}
