import { invalid } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { documentId, type PageDocument, pageDocuments } from '../../core/revisions/model.js';
import type { PageTree } from '../../core/revisions/page-tree.js';
import { isAbsoluteUrl } from '../../core/revisions/references.js';
import type { HasLedger, Owner } from '../../core/storage/ledger.js';
import { findAnchor } from '../../format/document/context/anchors.js';
import { blobOid } from '../../format/space/blob-oid.js';
import { percentDecode } from '../../format/space/paths.js';
import type { HasWork, RevertedBlocks } from '../../format/workers/page-work.js';
import type { WrittenPage } from '../../format/workers/page-worker.js';
import type { WrittenSource } from '../../format/workers/written-page.js';
import { appAddresses } from '../../reading/pages/other-spaces/app-addresses.js';
import { BatchWork } from './batch-work.js';
import { type BatchLinkScope, fileAddresses } from './link-targets.js';
import { type LinkedPage, linkedSources } from './page-links.js';

type Dependencies = HasStore & HasWork & HasLedger & { baseUrl: string };
type Parsed = Exclude<WrittenPage, { refused: string }>;
type Aliases = NonNullable<PageDocument['aliases']>;

/** The text of a page before it is written anew. */
export interface PageText {
  source: string;
  title?: string | undefined;
  /** Its first heading, if it is of level 1. */
  heading?: string | undefined;
  emoji?: string | undefined;
  links: PageDocument['links'];
}

const nothing: PageText = { source: '', links: [] };

const headingOf = (sections: PageDocument['sections']) => sections.find(({ lead }) => lead)?.title;

/** The sources that a batch of changes reads and writes. */
export class PageSources {
  private readonly texts = new Map<string, PageText>();
  private readonly written = new Map<string, Parsed & Pick<LinkedPage, 'known' | 'exact'>>();

  constructor(
    private readonly deps: Dependencies,
    private readonly owner: Owner,
    private readonly work = new BatchWork(deps.work, owner.organization),
  ) {}

  /** The text of a page as it is now, with what the batch has written so far. */
  async of(id: string, document: string | undefined): Promise<PageText> {
    const known = this.texts.get(id);
    if (known) return known;
    const text = document === undefined ? nothing : await this.stored(document);
    this.texts.set(id, text);
    return text;
  }

  async stored(document: string): Promise<PageText> {
    const fields = ['source', 'title', 'meta', 'sections', 'links'] satisfies (keyof PageDocument)[];
    const found = await this.deps.store.get(pageDocuments, documentId(this.owner.space, document), { fields });
    if (!found) return nothing;
    const { source, title, meta, sections, links } = found;
    return { source, title, heading: headingOf(sections), emoji: meta.emoji, links };
  }

  /** Begins to parse what `write` will be asked for. */
  begin(wanted: WrittenSource): void {
    this.work.begin(this.complete(wanted));
  }

  /**
   * Writes a page anew; the answer is what its source says. `links`: others that stay as they are written, besides those that the
   * page has. Throws 400 for a source that cannot be.
   */
  async write(
    id: string,
    wanted: WrittenSource,
    links: PageDocument['links'] = [],
  ): Promise<Parsed & { heading: string | undefined }> {
    const made = await this.work.written(this.complete(wanted));
    if ('refused' in made) throw invalid(`document: ${made.refused}`);
    const heading = headingOf(made.sections);
    const known = this.written.get(id)?.known ?? this.texts.get(id)?.links ?? [];
    const { source, title, meta } = made;
    this.texts.set(id, { source, title, heading, emoji: meta.emoji, links: made.links });
    // A change of the front matter alone leaves the text as it came.
    const exact = wanted.source === undefined ? (this.written.get(id)?.exact ?? false) : wanted.exact === true;
    this.written.set(id, { ...made, known: [...known, ...links], exact });
    return { ...made, heading };
  }

  /** Drops what was written of a page that is removed, or gets another document. */
  forget(id: string): void {
    this.texts.delete(id);
    this.written.delete(id);
  }

  /** The source of a page with some of its blocks as they were. Throws 400 for keys of no block. */
  async reverted(blocks: RevertedBlocks): Promise<string> {
    const made = await this.work.reverted(blocks);
    if ('unknown' in made) throw invalid(`block: there is no block ${made.unknown.join(', ')}`);
    return made.source;
  }

  /** Whether links of what was written may name something of the space. */
  get haveLinks(): boolean {
    return [...this.written.values()].some(({ places }) => places.length > 0);
  }

  /** Writes the links of all written pages by what they mean, and stores the pages; sets the documents of the pages in the tree. */
  async store(tree: PageTree, scope: BatchLinkScope | undefined): Promise<void> {
    if (scope) await this.writeLinks(scope);
    const { space } = this.owner;
    const documents = new Map<string, PageDocument>();
    for (const [id, each] of this.written) {
      const { places: _, known: _known, exact: _exact, titled: _titled, isOwn: _isOwn, ...parsed } = each;
      const oid = blobOid(parsed.source);
      const _id = documentId(space, oid);
      documents.set(_id, { _id, space, ...parsed });
      const page = tree.page(id);
      if (!page) continue;
      const { aliases: before = [], git, document: _document, ...own } = page;
      const aliases = aliasesAfter(before, parsed);
      tree.replace({
        ...own,
        document: oid,
        ...(aliases.length > 0 ? { aliases } : {}),
        ...(git ? { git: { ...git, oid } } : {}),
      });
    }
    const ids = [...documents.keys()];
    const stored = await this.deps.store.getMany(pageDocuments, ids, { fields: ['space'] });
    for (const { _id } of stored) documents.delete(_id);
    for (const part of partsOf([...documents.values()]))
      await this.deps.ledger.addDocuments(this.owner, pageDocuments, part);
  }

  private complete({ source, before, exact, edits }: WrittenSource): WrittenSource {
    const { baseUrl } = this.deps;
    return { source, before, exact, edits, own: [fileAddresses(baseUrl), appAddresses(baseUrl)] };
  }

  private async writeLinks(scope: BatchLinkScope): Promise<void> {
    const pages = [...this.written].map(([id, page]): LinkedPage => ({ id, ...page }));
    const linked = await linkedSources({ store: this.deps.store, space: this.owner.space }, scope, pages);
    await Promise.all([...linked].map(([id, source]) => this.rewrite(id, source)));
  }

  private async rewrite(id: string, source: string): Promise<void> {
    const made = await this.work.parsed(source);
    if ('refused' in made) throw invalid(`document: ${made.refused}`);
    this.written.set(id, { source, places: [], known: [], exact: true, titled: false, isOwn: false, ...made });
  }
}

/** Characters of sources that are stored at once. */
const storedAtOnce = 4_000_000;

function partsOf(documents: PageDocument[]): PageDocument[][] {
  const parts: PageDocument[][] = [];
  let room = 0;
  for (const document of documents) {
    room -= document.source.length;
    if (room < 0) {
      parts.push([]);
      room = storedAtOnce - document.source.length;
    }
    parts.at(-1)?.push(document);
  }
  return parts;
}

/** The names in use for anchors of a page: those that links of others used before, and those of its own links. */
function aliasesAfter(before: Aliases, { links, aliases = [] }: Pick<Parsed, 'links' | 'aliases'>): Aliases {
  const known = new Map(aliases);
  const own = links.flatMap(({ url }) =>
    url.startsWith('#') && !isAbsoluteUrl(url) ? [percentDecode(url.slice(1))] : [],
  );
  const names = new Set([...before.map(([name]) => name), ...own]);
  return [...names].flatMap((name): Aliases => {
    const anchor = findAnchor(known, name);
    return anchor === name ? [] : [[name, anchor]];
  });
}
