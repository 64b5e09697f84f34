import type { BlobLinks } from '../../../../shared/blobs/links.js';
import type { ContentCaller } from '../../../../shared/contract/caller.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { ContentRef } from '../../format/resources.js';
import { completeLayout } from '../../format/space/front-matter/front-matter.js';
import type { PageDetails, ShownImage } from '../contract.js';
import { presentCover, presentMetaLinks } from '../pages/pages.js';
import type { HasViews } from '../pages/visitors/visitor-view-cache.js';
import { outsideTargets } from './outside-targets.js';
import { ancestorsOf, linkToPage, neighboursOf } from './page-places.js';
import type { VisitedView } from './visited-view.js';

interface Detailed {
  visited: VisitedView;
  visitor: ContentCaller;
  page: PageEntry;
}

/** Everything about a page but its body. */
export async function detailsOfPage(
  deps: HasStore & HasRevisions & HasViews & { links: BlobLinks },
  { visited: { view }, visitor, page }: Detailed,
): Promise<PageDetails> {
  const { previous, next } = neighboursOf(view, page);
  return omitUndefined({
    ...linkToPage(view, page),
    title: page.title,
    description: page.description || undefined,
    cover: shownCover(deps.links, view, page),
    layout: completeLayout(page.layout),
    noIndex: page.noIndex ?? false,
    noRobotsIndex: page.noRobotsIndex ?? false,
    tags: shownTags(view, page),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    edit: editAddressOf(view, page),
    ancestors: ancestorsOf(view, page).map((above) => linkToPage(view, above)),
    previous: previous && linkToPage(view, previous),
    next: next && linkToPage(view, next),
    metaLinks: await metaLinksOf(deps, { view, visitor, page }),
  });
}

/** The cover of a page, with the addresses of its images. */
export function shownCover(links: BlobLinks, view: RevisionView, page: PageEntry): PageDetails['cover'] {
  const { cover } = presentCover(view, page);
  const image = cover && imageOf(links, view, cover.ref);
  return cover && image && omitUndefined({ image, dark: imageOf(links, view, cover.refDark), yPos: cover.yPos });
}

function imageOf(links: BlobLinks, view: RevisionView, ref: ContentRef | undefined): ShownImage | undefined {
  if (!ref) return undefined;
  if (ref.kind === 'url') return { src: String(ref.url), isFile: false };
  const file = view.fileById.get(String(ref.file));
  return file && { src: links.signedPathOf({ id: file.blob, name: file.name }), isFile: true };
}

/** The tags of a page with the labels that the space has for them. */
export function shownTags({ revision }: RevisionView, { tags = [] }: PageEntry): PageDetails['tags'] {
  const named = new Map((revision.tags ?? []).map((each) => [each.tag, each]));
  return tags.map(({ tag }) => {
    const { label = tag, icon } = named.get(tag) ?? {};
    return { slug: tag, label, ...(icon ? { icon } : {}) };
  });
}

/** How the address of a tree of files names the place to edit one, on hosts where it does. */
const editors: [tree: RegExp, edit: string][] = [
  [/^(https:\/\/github\.com\/[^/]+\/[^/]+)\/tree\//, '$1/edit/'],
  [/^(https:\/\/gitlab\.com\/.+)\/-\/tree\//, '$1/-/edit/'],
  [/^(https:\/\/codeberg\.org\/[^/]+\/[^/]+)\/src\/branch\//, '$1/_edit/'],
];

/** The file of the page on its Git host; to be edited there, where the host is known for it. */
function editAddressOf({ revision }: RevisionView, { git }: PageEntry): PageDetails['edit'] {
  const { treeURL } = revision;
  if (!treeURL || !git || !URL.canParse(treeURL)) return undefined;
  const path = git.path.split('/').map(encodeURIComponent).join('/');
  const [tree, edit] = editors.find(([pattern]) => pattern.test(treeURL)) ?? [];
  const base = tree && edit ? treeURL.replace(tree, edit) : treeURL;
  return { url: `${base.replace(/\/+$/, '')}/${path}`, host: new URL(treeURL).hostname };
}

async function metaLinksOf(
  deps: HasStore & HasRevisions & HasViews,
  { view, visitor, page }: { view: RevisionView; visitor: ContentCaller; page: PageEntry },
): Promise<PageDetails['metaLinks']> {
  if (!page.metaLinks) return { alternates: [] };
  const { canonical, alternates } = presentMetaLinks(view, page);
  const inView = (ref: ContentRef): ContentRef => (ref.kind === 'page' ? { space: view.revision.space, ...ref } : ref);
  const refs = [...(canonical ? [canonical] : []), ...alternates].map(inView);
  const found = await outsideTargets(deps, visitor, refs);
  const first = canonical ? found.shift() : undefined;
  return { ...(first ? { canonical: first } : {}), alternates: found.filter((each) => each !== null) };
}
