import { refusal } from '../../conversion/refused.js';
import { NulItems } from '../../git/command/nul-items.js';
import { maxPath } from '../../git/tree/listing.js';
import { contentFolder, spaceLists } from '../entries/space-files.js';
import { historyBounds } from './bounds.js';
import { type CommittedRevision, readRevisionMessage } from './commit-message.js';

/** A commit of a history. */
export interface HistoryCommit {
  oid: string;
  revision: CommittedRevision;
  /** The files that it has otherwise than the commit before, with Git's hashes; null for those that it lacks. */
  changes: (readonly [path: string, oid: string | null])[];
}

/** Bytes of a message, and of anything else that git prints between two NULs. */
const maxItem = 1_000_000;

const hashes = /^([0-9a-f]{40}) ([0-9a-f ]*)$/;
const change = /^\n?:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) ([A-Z])$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the output of `git log --raw -z` of a history: commits one after the other, each of a revision of its own, with plain files at the
 * places that the folder of a space has.
 */
export class HistoryLog {
  readonly commits: HistoryCommit[] = [];
  private readonly items = new NulItems(maxItem);
  private readonly ids = new Set<string>();
  private readonly files = new Map<string, string>();
  private changed = 0;
  /** The hash of the commit that is read. */
  private at = '';
  /** Takes the next item; absent where that begins a commit or names a change. */
  private takeNext: ((text: string) => void) | undefined;

  constructor(
    private readonly name: string,
    private readonly sizes: ReadonlyMap<string, number>,
  ) {}

  /** Throws 422 with what is wrong. */
  takeChunk(chunk: Buffer): void {
    try {
      for (const item of this.items.takeChunk(chunk)) this.takeItem(decode(item));
      if (this.items.leftOut > 0) throw refusal(`has a message or a path of more than ${maxItem} bytes`);
    } catch (error) {
      const where = this.at === '' ? this.name : `${this.name}: commit ${this.at}`;
      throw refusal(`${where}: ${(error as Error).message}`);
    }
  }

  private takeItem(text: string): void {
    const { takeNext } = this;
    this.takeNext = undefined;
    const [, mode, oid, status] = takeNext ? [] : (change.exec(text) ?? []);
    if (takeNext) takeNext(text);
    else if (mode !== undefined) this.takeNext = (path) => this.takeChange(path, { mode, oid: oid as string, status });
    else this.takeCommit(text);
  }

  private takeCommit(text: string): void {
    const [, oid = '', parents = ''] = hashes.exec(text) ?? [];
    const before = this.commits.at(-1);
    this.at = oid;
    if (parents !== (before?.oid ?? ''))
      throw refusal('must have one parent, the commit before; the first one has none');
    if (this.commits.length === historyBounds.revisions)
      throw refusal(`is one more than the ${historyBounds.revisions} that a history may have`);
    this.takeNext = (message) => {
      const revision = readRevisionMessage(message);
      if (this.ids.has(revision.id)) throw refusal('Revision: is that of another commit, too');
      if (before && before.revision.createdAt > revision.createdAt)
        throw refusal('Created-At: must not be before that of the commit before');
      this.ids.add(revision.id);
      this.commits.push({ oid, revision, changes: [] });
    };
  }

  private takeChange(path: string, { mode, oid, status }: { mode: string; oid: string; status: string | undefined }) {
    if (++this.changed > historyBounds.changes)
      throw refusal(`has more than ${historyBounds.changes} changes of files`);
    const shown = JSON.stringify(path.slice(0, 200));
    const isRemoved = status === 'D';
    if (!isRemoved && mode !== '100644') throw refusal(`${shown}: must be a plain file`);
    if (!isPlace(path)) throw refusal(`${shown}: is no file of the folder of a space`);
    if (!isRemoved && !this.sizes.has(oid)) throw refusal(`${shown}: must be a plain file`);
    this.commits.at(-1)?.changes.push([this.known(path), isRemoved ? null : oid]);
  }

  /** One text for each path, however many commits change it. */
  private known(path: string): string {
    const known = this.files.get(path) ?? path;
    this.files.set(path, known);
    return known;
  }
}

function decode(item: Buffer): string {
  try {
    return utf8.decode(item);
  } catch {
    throw refusal('has a message or a path that is no UTF-8');
  }
}

const isPlace = (path: string): boolean =>
  spaceLists.includes(path) ||
  (path.startsWith(contentFolder) &&
    Buffer.byteLength(path) <= 2 * maxPath &&
    path.split('/').every((part) => !['', '.', '..', '.git'].includes(part.toLowerCase()) && !/[\\\0]/.test(part)));
