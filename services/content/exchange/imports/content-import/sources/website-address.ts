/** Addresses of files that are not pages. */
const otherFiles =
  /\.(?:pdf|zip|gz|tgz|tar|7z|rar|exe|dmg|pkg|deb|rpm|png|jpe?g|gif|svg|webp|avif|ico|mp[34]|webm|mov|css|m?js|json|xml|rss|atom|txt|csv|woff2?|ttf|docx?|xlsx?|pptx?)$/i;
const tracking = /^(?:utm_[a-z]+|ref|fbclid|gclid)$/i;

/** One name for all addresses of a page: without fragment, trailing slash, index file and what only tracks visitors. */
export function pageKey(address: string): string {
  const url = new URL(address);
  const names = [...url.searchParams.keys()].filter((name) => tracking.test(name));
  for (const name of names) url.searchParams.delete(name);
  url.searchParams.sort();
  const path = url.pathname.replace(/\/index\.(?:html?|php)$/i, '/').replace(/\/+$/, '');
  return `${url.host}${path}${url.search}`;
}

/** The part of a website that is imported: the host of the address that it begins with, below its folder. */
export class WebsiteScope {
  private readonly host: string;
  private readonly folder: string;

  constructor(start: string) {
    const folder = new URL('.', start);
    this.host = folder.host;
    this.folder = folder.pathname;
  }

  /** The address that a link leads to, if it may be a page of the website. */
  pageAt(link: string, base: string): string | undefined {
    if (!URL.canParse(link, base)) return undefined;
    const url = new URL(link, base);
    url.hash = '';
    return this.has(url) && !otherFiles.test(url.pathname) ? url.href : undefined;
  }

  has({ protocol, host, pathname }: URL): boolean {
    return /^https?:$/.test(protocol) && host === this.host && `${pathname}/`.startsWith(this.folder);
  }
}
