import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import type { Blobs } from '../../../../../shared/blobs/port.js';
import { again } from '../../../../../shared/store/again.js';
import { eachDocument, type Store, type Write } from '../../../../../shared/store/port.js';
import type { HasLedger, Owner } from '../../../core/storage/ledger.js';
import type { Uploaded } from '../../../core/storage/uploads/uploads.js';
import { refusal } from '../../conversion/refused.js';
import { type ContentImportDocument, contentImports, unended } from './model.js';
import type { FetchedFiles } from './sources/fetched-files.js';

/** Stores a file that was sent or uploaded for an import. `start` is given what the batch that starts the import holds; may be called again. */
export async function keepUpload(
  { ledger }: HasLedger,
  { content, owner }: { content: Buffer | Uploaded; owner: Owner },
  start: (kept: { upload: string; checks: Write[] }) => Promise<unknown>,
): Promise<void> {
  await ledger.openUsage(owner);
  await again(async () => {
    const sweeps = await ledger.readSweeps(owner.space);
    const upload = Buffer.isBuffer(content) ? await ledger.addFile(owner, content) : content.blob;
    if (!Buffer.isBuffer(content)) await ledger.keepBlob(owner, content);
    await start({ upload, checks: [ledger.commitCheck(owner.space, sweeps)] });
  });
}

/** The blobs of files that imports into a space wait for. */
export async function uploadsFor(store: Store, space: string): Promise<string[]> {
  const uploads: string[] = [];
  const waiting = eachDocument(store, contentImports, { space, state: { $in: [...unended] } }, ['upload']);
  for await (const { upload } of waiting) if (upload !== undefined) uploads.push(upload);
  return uploads;
}

/** Puts the file that was sent among the fetched ones; the address under which it is there. */
export async function openUpload(
  { blobs }: { blobs: Blobs },
  { upload, url: name }: Required<Pick<ContentImportDocument, 'upload' | 'url'>>,
  files: FetchedFiles,
): Promise<string> {
  const [content, size] = await Promise.all([blobs.open(upload), blobs.size(upload)]);
  if (!content || size === null) throw refusal('file: it is gone; send it again');
  const file = files.nextPath();
  await pipeline(content, createWriteStream(file));
  const url = pathToFileURL(`/${name}`).href;
  files.give({ path: url, file, size, contentType: '' });
  return url;
}
