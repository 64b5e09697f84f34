import type { Piece } from '../../../../shared/contract/operation.js';
import { type ZippedFile, zippedLines } from '../../../../shared/contract/zipped-file.js';
import { FairTurns } from '../../../../shared/work/fair-turns.js';
import { KeyedCache } from '../../../../shared/work/keyed-cache.js';
import { nextTurn } from '../../../../shared/work/slices.js';
import type { CopySite } from '../../../sites/contract.js';
import type { ReaderDependencies } from '../../site/reader-context.js';
import { commonFiles, zippedPage } from './copied-files.js';
import { copiedList, copiedPage, type OpenCopy, openCopy } from './copied-pages.js';
import { type CopiedPage, type CopiedSite, listBeside, listSite, openAt } from './copied-site.js';

/** Characters, and milliseconds, after which a piece ends: whoever else waits gets a turn between two. */
const maxCharacters = 1_000_000;
const maxMs = 1_000;
/** Milliseconds that the list of pages is kept: all pieces of an export are of the same one. */
const listMs = 10 * 60_000;
const maxListed = 200_000;

/** Makes copies of sites as static HTML, in pieces. */
export class SiteCopies {
  private readonly turns = new FairTurns({
    max: 1,
    maxOfOwner: 1,
    waiting: 3,
    busy: 'Too many sites are being exported; try again later',
  });
  private readonly lists = new KeyedCache<CopiedSite>({
    maxSize: maxListed,
    sizeOf: ({ pages }) => 1 + pages.length,
    ttlMs: listMs,
  });

  constructor(private readonly deps: ReaderDependencies) {}

  /** The next files of a copy. Organizations take turns. */
  copy(asked: CopySite): Promise<Piece> {
    return this.turns.run(asked.organization, () => this.makePiece(asked));
  }

  private async makePiece({ url, after }: CopySite): Promise<Piece> {
    const { deps } = this;
    if (after === 0) this.lists.delete(url);
    const site = await this.lists.get(url, () => listSite(deps, url));
    const files: ZippedFile[] = after === 0 ? commonFiles(deps.assets) : [];
    const until = performance.now() + maxMs;
    const opened = new Map<string, OpenCopy | null>();
    let characters = 0;
    let at = after;
    for (; at < site.pages.length && characters < maxCharacters && performance.now() < until; at++) {
      const page = site.pages[at] as CopiedPage;
      if (!opened.has(page.start)) opened.set(page.start, await this.openStart(page.start));
      const copy = opened.get(page.start);
      const made = copy ? await this.filesOf(site, copy, page) : [];
      files.push(...made);
      characters += made.reduce((sum, file) => sum + ('text' in file ? file.text.length : 0), 0);
      await nextTurn();
    }
    return { lines: zippedLines(files), after: at < site.pages.length ? String(at) : null };
  }

  private async openStart(start: string): Promise<OpenCopy | null> {
    const opened = await openAt(this.deps, start);
    return opened ? openCopy(this.deps, opened) : null;
  }

  /** A page, with the files that it shows; with the first page of a space also the list of all. */
  private async filesOf(site: CopiedSite, copy: OpenCopy, { path, file, isFirst }: CopiedPage): Promise<ZippedFile[]> {
    const { deps } = this;
    const html = await copiedPage(deps, copy, path);
    const list = isFirst ? await copiedList(deps, copy) : null;
    return [
      ...(html === null ? [] : zippedPage(deps, site, copy, { file, html })),
      ...(list === null ? [] : zippedPage(deps, site, copy, { file: listBeside(file), html: list })),
    ];
  }
}
