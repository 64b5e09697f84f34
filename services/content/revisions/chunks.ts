import { sha256 } from '../../../shared/ids.js';
import type { ContentDependencies } from '../dependencies.js';
import { type ChunkDocument, chunkSize, chunks, type PageNode, type RevisionDocument } from './model.js';
import type { PageEntry, RevisionContent } from './revision-view.js';

const storedAtOnce = 20;

type ChunkContent = Omit<ChunkDocument, '_id' | 'space'>;

/** Cuts content into content-addressed chunks; a space stores equal parts of its revisions once. */
class ChunkWriter {
  readonly documents = new Map<string, ChunkDocument>();

  constructor(private readonly space: string) {}

  pages(pages: PageEntry[]): string[] {
    const nodes = pages.map(({ pages: children, ...own }): PageNode => ({ ...own, children: this.pages(children) }));
    return this.cut(nodes, (part) => ({ pages: part }));
  }

  cut<T>(items: T[], content: (part: T[]) => ChunkContent): string[] {
    const ids: string[] = [];
    for (let start = 0; start < items.length; start += chunkSize)
      ids.push(this.add(content(items.slice(start, start + chunkSize))));
    return ids;
  }

  private add(content: ChunkContent): string {
    const _id = `${this.space}:${sha256(JSON.stringify(content))}`;
    this.documents.set(_id, { _id, space: this.space, ...content });
    return _id;
  }
}

/** Stores the content of a revision, but not its document: nothing points at the chunks yet. */
export async function storeContent(
  { store, ledger }: Pick<ContentDependencies, 'store' | 'ledger'>,
  { organization, space }: { organization: string; space: string },
  tree: RevisionContent,
): Promise<Pick<RevisionDocument, 'pages' | 'files' | 'reusable' | 'redirects' | 'outside'>> {
  const writer = new ChunkWriter(space);
  const redirects = writer.cut(tree.redirects ?? [], (part) => ({ redirects: part }));
  const roots = {
    pages: writer.pages(tree.pages),
    files: writer.cut(tree.files, (files) => ({ files })),
    reusable: writer.cut(tree.reusable, (reusable) => ({ reusable })),
    ...(redirects.length > 0 ? { redirects } : {}),
    outside: writer.cut(tree.outside, (outside) => ({ outside })),
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
