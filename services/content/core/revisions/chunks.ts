import { apiError, markLasting } from '../../../../shared/errors/errors.js';
import type { Store } from '../../../../shared/store/port.js';
import { sha256 } from '../../../../shared/values/ids.js';
import { nextTurn } from '../../../../shared/work/slices.js';
import { type CutList, cutIntoParts, knownCut, rememberCut } from './chunk-lists.js';
import type { ContentChanges } from './derived-view.js';
import {
  type ChunkDocument,
  chunks,
  type HasMeter,
  type PageNode,
  type RevisionDocument,
  type SettingFile,
} from './model.js';
import type { PageEntry, RevisionView } from './revision-view.js';

const storedAtOnce = 20;

type ChunkContent = Omit<ChunkDocument, '_id' | 'space'>;

/** Characters of the JSON of all pages and files. */
const maxRevisionBytes = 64_000_000;

/** Cuts content into content-addressed chunks; a space stores equal parts of its revisions once. */
class ChunkWriter {
  readonly documents = new Map<string, ChunkDocument>();
  readonly cuts = new Map<readonly unknown[], CutList>();
  private room = maxRevisionBytes;

  constructor(
    private readonly space: string,
    private readonly before: RevisionView | undefined,
  ) {}

  async addPages(pages: PageEntry[], earlier: readonly PageEntry[] | undefined): Promise<string[]> {
    return this.addList(pages, earlier, async (part) => {
      const nodes: PageNode[] = [];
      for (const { pages: below, ...own } of part) {
        const children = await this.addPages(below, this.before?.pageById.get(own.id)?.pages);
        nodes.push({ ...own, children });
      }
      return { pages: nodes };
    });
  }

  async addList<T>(
    items: T[],
    earlier: readonly T[] | undefined,
    content: (part: readonly T[]) => ChunkContent | Promise<ChunkContent>,
  ): Promise<string[]> {
    const known = knownCut(items);
    if (known) return known.ids;
    const parts = cutIntoParts(items, earlier);
    const ids: string[] = [];
    for (const part of parts) ids.push(part.id ?? (await this.addChunk(await content(part.items))));
    this.cuts.set(items, { ids, lengths: parts.map((part) => part.items.length) });
    return ids;
  }

  /** Gives others their turn before each chunk is encoded. */
  private async addChunk(content: ChunkContent): Promise<string> {
    await nextTurn();
    const json = JSON.stringify(content);
    this.room -= json.length;
    if (this.room < 0) throw tooLargeError();
    const _id = `${this.space}:${sha256(json)}`;
    this.documents.set(_id, { _id, space: this.space, ...content });
    return _id;
  }
}

export const tooLargeError = () =>
  markLasting(
    apiError(
      'UNPROCESSABLE',
      `The names, paths and settings of pages and files have more than ${maxRevisionBytes / 1e6} MB`,
      'too_complex',
    ),
  );

/** Stores the settings of a repository; the id of their chunk. Nothing points at it yet. */
export async function storeSettings(
  { ledger }: HasMeter,
  owner: { organization: string; space: string },
  settings: SettingFile[],
): Promise<string> {
  const { space } = owner;
  const _id = `${space}:${sha256(JSON.stringify({ settings }))}`;
  await ledger.addDocuments(owner, chunks, [{ _id, space, settings }]);
  return _id;
}

/** The settings that a revision was read with. */
export async function readSettings(store: Store, { repository }: RevisionDocument): Promise<SettingFile[]> {
  return (repository && (await store.get(chunks, repository.settings))?.settings) ?? [];
}

/** The ids of the chunks that hold the content of a revision. */
export type Roots = Pick<RevisionDocument, 'pages' | 'files' | 'reusable' | 'redirects' | 'outside'>;

interface Storing {
  organization: string;
  space: string;
  /** The revision that the content was made from: what is equal in both is neither encoded nor stored again. */
  before?: RevisionView | undefined;
  content: ContentChanges;
}

export interface StoredContent {
  roots: Roots;
  /** To be called when a revision points at the chunks: its lists need not be cut again. */
  committed(): void;
}

/**
 * Stores the content of a revision, but not its document: nothing points at the chunks yet. What `content` leaves out is that
 * of `before`. Throws 422 when it is too large.
 */
export async function storeContent(
  { ledger }: HasMeter,
  { organization, space, before, content }: Storing,
): Promise<StoredContent> {
  const writer = new ChunkWriter(space, before);
  const roots = await addContent(writer, before, content);
  const made = [...writer.documents.values()];
  for (let start = 0; start < made.length; start += storedAtOnce) {
    await ledger.addDocuments({ organization, space }, chunks, made.slice(start, start + storedAtOnce));
  }
  return {
    roots,
    committed() {
      for (const [list, cut] of writer.cuts) rememberCut(list, cut);
    },
  };
}

async function addContent(
  writer: ChunkWriter,
  before: RevisionView | undefined,
  { pages, files, reusable, redirects, outside }: ContentChanges,
): Promise<Roots> {
  const same = before?.revision;
  const redirected = redirects
    ? await writer.addList(redirects, undefined, (part) => ({ redirects: [...part] }))
    : same?.redirects;
  return {
    pages: pages ? await writer.addPages(pages, before?.pages) : (same?.pages ?? []),
    files: files ? await writer.addList(files, before?.files, (part) => ({ files: [...part] })) : (same?.files ?? []),
    reusable: reusable
      ? await writer.addList(reusable, before?.reusable, (part) => ({ reusable: [...part] }))
      : (same?.reusable ?? []),
    ...(redirected && redirected.length > 0 ? { redirects: redirected } : {}),
    ...(outside || same?.outside
      ? {
          outside: outside
            ? await writer.addList(outside, undefined, (part) => ({ outside: [...part] }))
            : (same?.outside ?? []),
        }
      : {}),
  };
}
