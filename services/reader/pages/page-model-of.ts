import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { PageDetails, PageLink, ShownBody, ShownImage } from '../../content/contract.js';
import { fillMarks } from '../marks/fill-marks.js';
import type { PageModel, SiteModel, TitledLink } from '../parts/page-model.js';
import { type Addresses, siteSpacesOf } from '../site/addresses.js';
import { fillingOf } from '../site/filling.js';
import type { Visit } from '../visits/visit.js';
import { bcp47 } from '../words/locales.js';

interface Modelled {
  visit: Visit;
  model: SiteModel;
  details: PageDetails;
  body: ShownBody;
  addresses: Addresses;
  /** Whether this server makes PDFs. */
  makesPdfs: boolean;
}

/** A page as the templates take it. */
export function pageModelOf({ visit, model, details, body, addresses, makesPdfs }: Modelled): PageModel {
  const { customization } = model;
  const { id, title, description, emoji, icon, layout, updatedAt, edit, cover } = details;
  const own = addresses.page(details.path);
  const linkTo = (page: PageLink | undefined): TitledLink | undefined =>
    page && { title: page.title, href: addresses.page(page.path) };
  const actions = customization.pageActions.items;
  return omitUndefined({
    id,
    title,
    description,
    emoji,
    icon,
    layout,
    updatedAt,
    cover: cover && { light: imageAddress(cover.image, addresses), ...darkOf(cover.dark, addresses), yPos: cover.yPos },
    edit: edit && customization.git.showEditLink ? { href: edit.url, host: hostName(edit.host) } : undefined,
    tags: details.tags.map(({ label, icon: sign }) => ({ label, primary: false, ...(sign ? { icon: sign } : {}) })),
    ancestors: details.ancestors.map((above) => ({ title: above.title, href: addresses.page(above.path) })),
    previous: customization.pagination.enabled ? linkTo(details.previous) : undefined,
    next: customization.pagination.enabled ? linkTo(details.next) : undefined,
    outline: body.outline as PageModel['outline'],
    body: fillMarks(body.html, fillingOf({ model, body, addresses })),
    canonical: canonicalOf(details, addresses),
    alternates: alternatesOf(visit, details),
    robots: robotsOf(visit, details),
    markdown: customization.pageActions.markdown && actions.includes('markdown') ? markdownAddress(own) : undefined,
    pdf:
      makesPdfs && customization.pdf.enabled && actions.includes('pdf')
        ? pdfAddress(model.basePath, details.path)
        : undefined,
    rss: body.updates.length > 0 ? `${own.replace(/\/?$/, '/')}rss.xml` : undefined,
    socialImage: cover && !cover.image.isFile ? cover.image.src : undefined,
  });
}

const imageAddress = ({ src, isFile }: ShownImage, { file }: Addresses): string => (isFile ? file(src) : src);
const darkOf = (image: ShownImage | undefined, addresses: Addresses) =>
  image ? { dark: imageAddress(image, addresses) } : {};

/** The Markdown of a page beside it; that of the first page of a space has a name of its own. */
export const markdownAddress = (page: string): string => (page.endsWith('/') ? `${page}index.md` : `${page}.md`);

const pdfAddress = (basePath: string, path: string): string => `${basePath}~pdf?page=${encodeURIComponent(path)}`;

const hosts: Record<string, string> = {
  'github.com': 'GitHub',
  'gitlab.com': 'GitLab',
  'bitbucket.org': 'Bitbucket',
  'codeberg.org': 'Codeberg',
};
const hostName = (host: string): string => hosts[host] ?? host;

function canonicalOf({ metaLinks, path }: PageDetails, addresses: Addresses): string {
  const { canonical } = metaLinks;
  if (canonical?.kind === 'url') return canonical.url;
  const local = canonical ? addresses.target(canonical) : null;
  const own = addresses.canonical(path);
  return local === null ? own : new URL(local, own).href;
}

/** Pages that say the same in other languages: those that the author names, else the same path of translations beside it. */
function alternatesOf(visit: Visit, { metaLinks, path }: PageDetails): PageModel['alternates'] {
  const all = siteSpacesOf(visit);
  const languageOf = (space: string) => all.find((each) => each.space.id === space)?.space.language;
  return metaLinks.alternates.flatMap((target) => {
    if (target.kind === 'url') return [];
    const lang = languageOf(target.space);
    const start = all.find((each) => each.space.id === target.space)?.urls.published;
    return lang && start ? [{ lang: bcp47(lang), href: new URL(target.path || path, start).href }] : [];
  });
}

/** Search engines see public sites only. */
function robotsOf({ site: { site }, visitor }: Visit, { noRobotsIndex }: PageDetails): string | undefined {
  const isPublic = site.visibility === 'public' && !visitor.preview && visitor.shareKey === undefined;
  return isPublic && !noRobotsIndex ? undefined : 'noindex, nofollow';
}
