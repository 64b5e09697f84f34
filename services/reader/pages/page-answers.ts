import { LRUCache } from 'lru-cache';
import { failureOf } from '../../../shared/errors/errors.js';
import { version } from '../../../shared/process/version.js';
import { sha256 } from '../../../shared/values/ids.js';
import { KeyedCache } from '../../../shared/work/keyed-cache.js';
import {
  decodeShownPage,
  type OutsideTarget,
  type PageDetails,
  type ShownBody,
  showPage,
} from '../../content/contract.js';
import type { ReaderAnswer } from '../contract.js';
import { renderPage } from '../parts/screens/page.js';
import { treeWithCurrent } from '../parts/tree/tree.js';
import { addressesOf } from '../site/addresses.js';
import { cacheControlOf, redirect } from '../site/answers.js';
import type { AssetAddresses } from '../site/asset-addresses.js';
import { linkTargets, siteWith } from '../site/open-site.js';
import type { ReaderDependencies, SiteRequest } from '../site/reader-context.js';
import type { SpaceTree } from '../site/site-trees.js';
import { readerScript } from '../style/reader-assets.js';
import { freshMs } from '../visits/visit.js';
import { pageModelOf } from './page-model-of.js';

/** Bytes of all kept pages together, about. */
const maxPages = 24 * 1024 * 1024;
/** Addresses whose last page is known, to be shown while the services behind are away. */
const maxAddresses = 5000;
/** Milliseconds that a page is shown while nobody can say whether it is out of date. */
const staleMs = 60_000;

/** A page, ready to be sent. */
interface KeptPage {
  answer: ReaderAnswer;
  /** The key of the page at content. */
  pageKey: string;
}

/** The last page of an address, by its name among the kept ones. */
interface LastPage {
  name: string;
  pageKey: string;
  at: number;
}

/** Makes pages, keeps them by all that they depend on, and asks once a second whether something of that has changed. */
export class PageAnswers {
  private readonly pages = new LRUCache<string, KeptPage>({
    maxSize: maxPages,
    sizeCalculation: ({ answer }) => 1000 + 2 * (answer.body?.length ?? 0),
  });
  private readonly last = new LRUCache<string, LastPage>({ max: maxAddresses });
  private readonly fresh = new KeyedCache<KeptPage>({ maxSize: maxAddresses, sizeOf: () => 1, ttlMs: freshMs });

  /** Distinguishes the pages of releases, also for browsers that ask whether theirs are up to date. */
  private readonly release: string;

  constructor(private readonly deps: ReaderDependencies) {
    const { assets } = deps;
    this.release = [version, assets.css.path, readerScript(assets).path].join(' ');
  }

  /** The last page of an address, for a minute. */
  lastPage(address: string): ReaderAnswer | undefined {
    const last = this.last.get(address);
    return last && Date.now() - last.at < staleMs ? this.pages.get(last.name)?.answer : undefined;
  }

  /** Whether the page was looked at within the last second, so that nothing is asked for it. */
  knows(address: string, { visit }: Pick<SiteRequest, 'visit'>): boolean {
    return this.fresh.peek(`${address} ${visit.key}`) !== undefined;
  }

  /** The page that a request asks for; undefined where the path has no page. Throws what the services behind throw. */
  async pageOf(address: string, asked: SiteRequest): Promise<ReaderAnswer | undefined> {
    try {
      const made = await this.fresh.get(`${address} ${asked.visit.key}`, () => this.make(address, asked));
      return made && withQuery(made.answer, asked.url);
    } catch (error) {
      // Nothing else of a failure says that there is no page.
      if (failureOf(error).status === 404) return undefined;
      throw error;
    }
  }

  private async make(address: string, asked: SiteRequest): Promise<KeptPage | undefined> {
    const { visit } = asked;
    const { visitor, shown } = visit;
    const call = this.deps.callAs(visitor);
    const last = this.last.get(address);
    const kept = last && this.pages.get(last.name);
    const [found, targets] = await Promise.all([
      call(showPage, { visitor, path: shown.pathname, known: kept?.pageKey }),
      linkTargets(this.deps, asked),
    ]);
    const page = decodeShownPage(found);
    if (!page) return undefined;
    const tree = await this.deps.trees.treeByKey(visitor, page.tree);
    const by = [this.release, asked.url.origin, asked.rootPath, cacheControlOf(asked), visitor.signedBy !== undefined];
    const name = sha256(JSON.stringify([by, visit.key, shown, page.key, tree.key, targets])).slice(0, 32);
    const remember = () => this.last.set(address, { name, pageKey: page.key, at: Date.now() });
    const known = this.pages.get(name);
    if (known) {
      remember();
      return known;
    }
    const shownPage =
      page.page && page.body ? page : decodeShownPage(await call(showPage, { visitor, path: shown.pathname }));
    if (!shownPage?.page || !shownPage.body) return undefined;
    const answer = await this.render(asked, { details: shownPage.page, body: shownPage.body, tree, targets, name });
    const made = { answer, pageKey: page.key };
    this.pages.set(name, made);
    remember();
    return made;
  }

  private async render(asked: SiteRequest, made: Made): Promise<ReaderAnswer> {
    const { visit, url, isOnBase, visitor } = asked;
    const { details, body, tree, targets, name } = made;
    const { shown, site } = visit;
    if (details.path !== shown.pathname) return redirect(308, addressesOf(visit, asked).page(details.path));
    const foreign = isOnBase ? [] : site.scripts;
    const opened = await siteWith(this.deps, asked, { targets, frames: body.frames, foreign });
    const { model, addresses, assets, headers } = opened;
    const page = pageModelOf({ visit, model, details, body, addresses, makesPdfs: this.deps.pdfs !== undefined });
    const treeHtml = treeWithCurrent(this.deps.trees.renderedTree(tree, model, addresses), details.id);
    return {
      status: 200,
      headers: {
        ...headers,
        'Cache-Control': cacheControlOf(asked),
        ...(visitor.isAnonymous ? {} : { Vary: 'Cookie' }),
        Link: linkHeader(assets),
        // For caches that can purge by tag.
        'X-Gitbook-Cache-Tag': `url:${url.hostname},site:${shown.site},space:${shown.space}`,
      },
      body: renderPage(model, page, treeHtml),
      name,
      kind: 'page',
    };
  }
}

interface Made {
  details: PageDetails;
  body: ShownBody;
  tree: SpaceTree;
  targets: (OutsideTarget | null)[];
  name: string;
}

/** The browser fetches these before it has read the page. */
const linkHeader = ({ css, theme, fonts }: AssetAddresses): string =>
  [
    `<${css}>; rel=preload; as=style`,
    `<${theme}>; rel=preload; as=style`,
    ...fonts.map((font) => `<${font}>; rel=preload; as=font; type="font/woff2"; crossorigin`),
  ].join(', ');

/** A redirect is kept once for all queries. */
const withQuery = (answer: ReaderAnswer, { search }: URL): ReaderAnswer =>
  answer.kind === 'redirect' && search !== ''
    ? { ...answer, headers: { ...answer.headers, Location: `${answer.headers.Location}${search}` } }
    : answer;
