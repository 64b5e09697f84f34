import { lookup } from 'mime-types';
import { apiError, invalid } from '../../../../shared/errors/errors.js';
import { checkUrl } from '../../../../shared/outbound/address.js';
import type { HasOutbound, Outbound } from '../../../../shared/outbound/client.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { newId } from '../../../../shared/values/ids.js';
import type { HeldBytes, Holding } from '../../../../shared/work/held-bytes.js';
import { isTaskFailure } from '../../../../shared/workers/workers.js';
import type { FileEntry } from '../../core/revisions/model.js';
import type { HasLedger, Owner } from '../../core/storage/ledger.js';
import { checkBase64 } from '../../format/space/base64.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { Change, ChangeOf } from './content-draft.js';

type Dependencies = HasWork & HasOutbound & HasLedger & { fetchedFiles: HeldBytes; allowCidrs: readonly string[] };
type Given = ChangeOf<'insert_files'>['files'][number];

/** A file to be inserted, with the name that the batch gives it. */
export interface InsertedFile {
  entry: FileEntry;
  ref: string | undefined;
}

/** Bytes. */
const maxInlineBytes = 10_000_000;
const maxFetchedBytes = 25_000_000;
/** Milliseconds for all files of a batch: less than a request may take. */
const fetchingMs = scaleMs(7000);
const atOnce = 4;

/** The place of a file in the body, for messages. */
interface Placed {
  given: Given;
  place: string;
}

/** Fetches, checks and stores the files of a batch, by the index of their change. Nothing points at them yet. */
export async function storeInsertedFiles(
  deps: Dependencies,
  owner: Owner,
  changes: readonly Change[],
): Promise<Map<number, InsertedFile[]>> {
  const placed = changes.flatMap((change, at) =>
    change.operation === 'insert_files'
      ? change.files.map((given, each) => ({ at, given, place: `changes.${at}.files.${each}` }))
      : [],
  );
  for (const each of placed) checkGiven(deps, each);
  const until = Date.now() + fetchingMs;
  const made = new Map<number, InsertedFile[]>();
  for (let start = 0; start < placed.length; start += atOnce) {
    const part = placed.slice(start, start + atOnce);
    const files = await Promise.all(part.map((each) => storeFile(deps, owner, { ...each, until })));
    for (const [at, file] of files.entries()) {
      const index = part[at]?.at as number;
      made.set(index, [...(made.get(index) ?? []), { entry: file, ref: part[at]?.given.ref }]);
    }
  }
  return made;
}

/** Throws 400 before anything is fetched. */
function checkGiven({ allowCidrs }: Dependencies, { given: { url, base64, contentType }, place }: Placed): void {
  if ((url === undefined) === (base64 === undefined)) throw invalid(`${place}: give either url or base64`);
  if (url !== undefined) {
    const checked = checkUrl(url, { allowCidrs });
    if (!checked.ok) throw invalid(`${place}.url: ${checked.problem}`);
    return;
  }
  if (contentType === undefined) throw invalid(`${place}.contentType: required with base64`);
  const text = base64 as string;
  checkBase64(text, `${place}.base64`);
  if (Buffer.byteLength(text, 'base64') > maxInlineBytes)
    throw invalid(`${place}.base64: larger than ${maxInlineBytes / 1e6} MB; give a url instead`);
}

async function storeFile(deps: Dependencies, owner: Owner, file: Placed & { until: number }): Promise<FileEntry> {
  const holding = deps.fetchedFiles.hold(owner.organization);
  try {
    return await storeHeld(deps, owner, { ...file, holding });
  } finally {
    holding.release();
  }
}

interface Fetched extends Placed {
  until: number;
  holding: Holding;
}

async function storeHeld(deps: Dependencies, owner: Owner, file: Fetched): Promise<FileEntry> {
  const { given } = file;
  const { name, url } = given;
  const { bytes, type } =
    url === undefined ? inline(given) : await fetchContent(deps.outbound, owner, { ...file, url });
  const contentType = given.contentType ?? type ?? (lookup(name) || 'application/octet-stream');
  const blob = await deps.ledger.addFile(owner, bytes);
  const dimensions = contentType.startsWith('image/') ? await dimensionsOf(deps, owner, bytes) : undefined;
  return { id: newId(), name, contentType, size: bytes.length, blob, ...(dimensions ? { dimensions } : {}) };
}

interface Content {
  bytes: Buffer;
  type?: string | undefined;
}

const inline = ({ base64 = '' }: Given): Content => ({ bytes: Buffer.from(base64, 'base64') });

async function fetchContent(
  outbound: Outbound,
  { organization }: Owner,
  { url, place, until, holding }: Fetched & { url: string },
): Promise<Content> {
  const timeoutMs = Math.max(1, until - Date.now());
  let isFull = false;
  const onPart = (bytes: number) => {
    isFull = !holding.add(bytes);
    if (isFull) throw new Error('no room');
  };
  const asked = { owner: organization, timeoutMs, maxBytes: maxFetchedBytes, onPart };
  const answer = await outbound.fetch(url, asked).catch((error: Error) => {
    throw isFull
      ? apiError('UNAVAILABLE', 'Too many files are being fetched at once; try again', 'busy')
      : invalid(`${place}.url: ${error.message}`);
  });
  if (answer.status !== 200) throw invalid(`${place}.url: the server answered ${answer.status}`);
  const type = answer.headers['content-type']?.split(';', 1)[0]?.trim();
  return { bytes: answer.body, type: type && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : undefined };
}

/** An image that cannot be read, or takes too long to look at, has no dimensions. */
async function dimensionsOf({ work }: Dependencies, { organization }: Owner, bytes: Buffer) {
  try {
    return await work.dimensions(bytes, organization);
  } catch (error) {
    if (!isTaskFailure(error)) throw error;
    return undefined;
  }
}
