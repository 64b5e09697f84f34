import { setTimeout as delay } from 'node:timers/promises';
import { eachInSlices } from '../../../../../../shared/work/slices.js';
import { bounds } from '../../../conversion/bounds.js';
import { refusal } from '../../../conversion/refused.js';
import type { AskedRobots, RobotsAnswer } from '../../../conversion/robots.js';
import type { PageConverter } from './converting.js';
import { acceptHtml, type FetchedFile, type FetchedFiles, mediaType } from './fetched-files.js';
import type { Gathered, GatheredPage } from './gathered.js';
import { resolveAddress, webTargetOf } from './single-page.js';
import { pageKey, WebsiteScope } from './website-address.js';

const robotsBytes = 500_000;
const atOnce = 4;
/** Seconds between two requests that a website may ask for; of those that ask for more, few pages fit into the time. */
const maxDelayMs = 10;

interface Sources {
  files: FetchedFiles;
  converting: PageConverter;
  signal: AbortSignal;
}

/** Reads a website page by page, from one to those that it links to, as its robots.txt allows. */
export async function gatherWebsite(sources: Sources, url: string): Promise<Gathered> {
  const crawl = new Crawl(sources, await fetchRobots(sources.files, url));
  await crawl.run(url);
  return crawl.buildTree();
}

async function fetchRobots(files: FetchedFiles, url: string): Promise<Robots> {
  const address = new URL('/robots.txt', url).href;
  const answer = await files.fetchAnswer(address, { maxBytes: robotsBytes }).catch((error: Error) => {
    throw Object.assign(error, { message: error.message.replace(/^url:/, 'url: robots.txt cannot be read:') });
  });
  if (answer.status >= 500) throw refusal(`url: robots.txt cannot be read: the server answered ${answer.status}`);
  return { address, file: answer.status === 200 ? answer.file : undefined };
}

type Robots = Omit<AskedRobots, 'urls'>;

interface Visited extends GatheredPage {
  /** The names of its path, below the folder that is imported. */
  path: string[];
}

class Crawl {
  private readonly waiting: string[] = [];
  /** The pages by all their keys; undefined for addresses that lead to none. */
  private readonly known = new Map<string, Visited | undefined>();
  private readonly pages: Visited[] = [];
  private readonly until = Date.now() + bounds.websiteMs;
  private delayMs = 0;
  private scope: WebsiteScope | undefined;

  constructor(
    private readonly sources: Sources,
    private readonly robots: Robots,
  ) {}

  async run(start: string): Promise<void> {
    const { allowed, delay: seconds } = await this.askRobots([start]);
    if (!allowed[0]) throw refusal('url: the robots.txt of the website forbids to read this page');
    this.delayMs = 1000 * Math.min(maxDelayMs, Math.max(0, seconds));
    const first = await this.sources.files.fetchFile(start, { maxBytes: bounds.html, accept: acceptHtml });
    if (!isHtmlFile(first))
      throw refusal(`url: the answer is ${mediaType(first.contentType) || 'untyped'}, and no HTML page`);
    this.scope = new WebsiteScope(first.path);
    this.known.set(pageKey(start), undefined);
    await this.addPage(first);
    if (this.pages.length === 0) throw refusal(this.sources.converting.problem ?? 'url: no page was found');
    while (this.waiting.length > 0 && this.pages.length < bounds.websitePages && Date.now() < this.until)
      await this.fetchRound();
  }

  /** Fetches some pages together, or one after a delay, and adds them in the order of their links. */
  private async fetchRound(): Promise<void> {
    const { signal } = this.sources;
    if (this.delayMs > 0) await delay(this.delayMs, undefined, { signal });
    const room = bounds.websitePages - this.pages.length;
    const next = this.waiting.splice(0, Math.min(room, this.delayMs > 0 ? 1 : atOnce));
    const answers = await Promise.all(next.map((url) => this.fetchPage(url)));
    for (const answer of answers) if (answer) await this.addPage(answer);
  }

  /** A page that a link leads to; undefined for one that is not there, which is counted. */
  private async fetchPage(url: string): Promise<FetchedFile | undefined> {
    const { files, converting, signal } = this.sources;
    try {
      const file = await files.fetchFile(url, { maxBytes: bounds.html, accept: acceptHtml });
      return isHtmlFile(file) && this.scope?.has(new URL(file.path)) ? file : undefined;
    } catch {
      signal.throwIfAborted();
      await converting.countLost();
      return undefined;
    }
  }

  private async addPage(file: FetchedFile): Promise<void> {
    const key = pageKey(file.path);
    if (this.known.get(key)) return;
    const content = await this.sources.converting.convertOneOfMany({ file, format: 'html' });
    if (!content) return void this.known.set(key, undefined);
    const base = resolveAddress(content.base ?? '', file.path) ?? file.path;
    const canonical = content.canonical === undefined ? undefined : this.scope?.pageAt(content.canonical, base);
    const names = [key, ...(canonical === undefined ? [] : [pageKey(canonical)])];
    const same = names.map((name) => this.known.get(name)).find((page) => page !== undefined);
    const path = new URL(canonical ?? file.path).pathname.split('/').filter(Boolean);
    const title = content.title ?? path.at(-1) ?? new URL(file.path).host;
    const { links } = content;
    // They are followed once, and may be long.
    content.links = [];
    const page: Visited = same ?? { key, title, content, base, path: withoutIndexName(path), children: [] };
    if (!same) this.pages.push(page);
    else this.sources.converting.uncountRepeated();
    for (const name of names) this.known.set(name, page);
    await this.queueLinks(links, base);
  }

  private async queueLinks(links: readonly string[], base: string): Promise<void> {
    const fresh: string[] = [];
    await eachInSlices(links, (link) => {
      const url = this.waiting.length + fresh.length < maxWaiting ? this.scope?.pageAt(link, base) : undefined;
      if (url === undefined || this.known.has(pageKey(url))) return;
      this.known.set(pageKey(url), undefined);
      fresh.push(url);
    });
    if (fresh.length === 0) return;
    const { allowed } = await this.askRobots(fresh);
    this.waiting.push(...fresh.filter((_, at) => allowed[at]));
  }

  private askRobots(urls: string[]): Promise<RobotsAnswer> {
    return this.sources.converting.askRobots({ ...this.robots, urls });
  }

  /** The pages as the tree of their paths: a page is below the nearest one whose path its own begins with. */
  buildTree(): Gathered {
    const { files } = this.sources;
    const byPath = new Map(this.pages.map((page) => [page.path.join('/'), page]));
    const top: GatheredPage[] = [];
    for (const page of this.pages) (nearestAbove(page, byPath)?.children ?? top).push(page);
    return {
      pages: top,
      targetOf: (page, address, isShown) => {
        const url = resolveAddress(address, page.base);
        const found = url && /^https?:/.test(url) ? this.known.get(pageKey(url)) : undefined;
        if (!found || isShown) return webTargetOf(address, page.base, isShown);
        return { page: found.key, anchor: new URL(url as string).hash.slice(1) || undefined };
      },
      fileAt: async (address) => {
        const { allowed } = await this.askRobots([address]);
        return allowed[0] ? files.fetchFile(address, { maxBytes: bounds.file }) : undefined;
      },
    };
  }
}

/** Links that wait to be followed. */
const maxWaiting = 10_000;

const withoutIndexName = (path: string[]): string[] =>
  /^index\.[a-z]+$/i.test(path.at(-1) ?? '') ? path.slice(0, -1) : path;

function nearestAbove({ path }: Visited, byPath: ReadonlyMap<string, Visited>): Visited | undefined {
  for (let length = path.length - 1; length >= 0; length--) {
    const above = byPath.get(path.slice(0, length).join('/'));
    if (above) return above;
  }
  return undefined;
}

const isHtmlFile = ({ contentType }: FetchedFile): boolean =>
  ['text/html', 'application/xhtml+xml', ''].includes(mediaType(contentType));
