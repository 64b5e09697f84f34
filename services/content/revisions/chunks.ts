import { setImmediate } from 'node:timers/promises';
import { apiError } from '../../../shared/errors.js';
import { sha256 } from '../../../shared/ids.js';
import type { ContentDependencies } from '../dependencies.js';
import { type ChunkDocument, chunkSize, chunks, type PageNode, type RevisionDocument } from './model.js';
import type { PageEntry, RevisionContent } from './revision-view.js';

const storedAtOnce = 20;

type ChunkContent = Omit<ChunkDocument, '_id' | 'space'>;

/** Characters of the JSON of all pages and files. */
const largestRevision = 64_000_000;

/** Cuts content into content-addressed chunks; a space stores equal parts of its revisions once. */
class ChunkWriter {
  readonly documents = new Map<string, ChunkDocument>();
  private room = largestRevision;

  constructor(private readonly space: string) {}

  async pages(pages: PageEntry[]): Promise<string[]> {
    const nodes: PageNode[] = [];
    for (const { pages: children, ...own } of pages) nodes.push({ ...own, children: await this.pages(children) });
    return this.cut(nodes, (part) => ({ pages: part }));
  }

  async cut<T>(items: T[], content: (part: T[]) => ChunkContent): Promise<string[]> {
    const ids: string[] = [];
    for (let start = 0; start < items.length; start += chunkSize) {
      await setImmediate();
      ids.push(this.add(content(items.slice(start, start + chunkSize))));
    }
    return ids;
  }

  private add(content: ChunkContent): string {
    const json = JSON.stringify(content);
    this.room -= json.length;
    if (this.room < 0) throw tooLarge();
    const _id = `${this.space}:${sha256(json)}`;
    this.documents.set(_id, { _id, space: this.space, ...content });
    return _id;
  }
}

const tooLarge = () =>
  Object.assign(
    apiError(
      'UNPROCESSABLE',
      `The names, paths and settings of pages and files have more than ${largestRevision / 1e6} MB`,
    ),
    { permanent: true, expected: true },
  );

/** Stores the content of a revision, but not its document: nothing points at the chunks yet. Throws 422 when it is too large. */
export async function storeContent(
  { store, ledger }: Pick<ContentDependencies, 'store' | 'ledger'>,
  { organization, space }: { organization: string; space: string },
  tree: RevisionContent,
): Promise<Pick<RevisionDocument, 'pages' | 'files' | 'reusable' | 'redirects' | 'outside'>> {
  const writer = new ChunkWriter(space);
  const redirects = await writer.cut(tree.redirects ?? [], (part) => ({ redirects: part }));
  const roots = {
    pages: await writer.pages(tree.pages),
    files: await writer.cut(tree.files, (files) => ({ files })),
    reusable: await writer.cut(tree.reusable, (reusable) => ({ reusable })),
    ...(redirects.length > 0 ? { redirects } : {}),
    outside: await writer.cut(tree.outside, (outside) => ({ outside })),
  };
  const made = [...writer.documents.values()];
  for (let start = 0; start < made.length; start += storedAtOnce) {
    const part = made.slice(start, start + storedAtOnce);
    const ids = part.map(({ _id }) => _id);
    const known = new Set((await store.getMany(chunks, ids, { fields: ['space'] })).map(({ _id }) => _id));
    const missing = part.filter(({ _id }) => !known.has(_id));
    await ledger.addDocuments({ organization, space }, chunks, missing);
  }
  return roots;
}
