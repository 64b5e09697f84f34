import type { BlobLinks } from '../../shared/blobs/links.js';
import type { Store } from '../../shared/store/port.js';
import { inputsOf } from './conditions.js';
import { DEFAULT_LAYOUT } from './format/front-matter.js';
import { documentId, type FileEntry, type GitBlob, pageDocuments, type ReusableEntry } from './model.js';
import type { PageWork } from './page-work.js';
import { standingAlone } from './reader-markdown.js';
import { linkTarget, refOf } from './references.js';
import type { bodyFormats, FileResource, Page, PageBody, ReusableContent, Revision } from './resources.js';
import type { PageEntry, RevisionView } from './revisions.js';

/** What presenting content needs besides the content. */
export interface Presentation {
  baseUrl: string;
  links: BlobLinks;
}

export interface ContentOptions {
  /** Show the `git` metadata. */
  metadata: boolean;
}

/** Where a page stands in the app. */
export const pageUrl = (baseUrl: string, space: string, path: string) => `${baseUrl}/app/s/${space}/${path}`;

const gitOf = (git: GitBlob | undefined, { metadata }: ContentOptions) => (git && metadata ? { git } : {});

const kinds = { document: 'sheet', group: 'group', link: 'link', computed: undefined } as const;

function presentOwn({ baseUrl }: Presentation, view: RevisionView, page: PageEntry, options: ContentOptions): Page {
  const { id, title, type, slug, path, emoji, icon, createdAt, updatedAt } = page;
  const kind = kinds[type];
  return {
    id,
    title,
    type,
    ...(kind ? { kind } : {}),
    ...(emoji ? { emoji } : {}),
    ...(icon ? { icon } : {}),
    ...(createdAt ? { createdAt } : {}),
    ...(updatedAt ? { updatedAt } : {}),
    ...(type === 'document' ? { urls: { app: pageUrl(baseUrl, view.revision.space, path) } } : {}),
    ...(type === 'document' || type === 'group' ? { slug, path } : {}),
    ...gitOf(page.git, options),
  };
}

function presentBodyFields(view: RevisionView, page: PageEntry) {
  const { type, description, document, layout, variables, computed } = page;
  return {
    ...(type === 'computed' ? {} : { hidden: page.hidden ?? false }),
    ...(type === 'document' || type === 'group'
      ? { noIndex: page.noIndex ?? false, noRobotsIndex: page.noRobotsIndex ?? false }
      : {}),
    ...(description ? { description } : {}),
    ...(document ? { documentId: document } : {}),
    ...(type === 'document' ? { layout: layout ?? DEFAULT_LAYOUT } : {}),
    ...presentCover(view, page),
    ...(variables ? { variables } : {}),
    ...presentTarget(view, page),
    ...(computed ? { computed: computed as NonNullable<Page['computed']> } : {}),
  };
}

/** Without what is not there. */
function presentCover(view: RevisionView, page: PageEntry): Pick<Page, 'cover'> {
  const { cover } = page;
  const refTo = (url: string | undefined) => {
    const ref = url && (refOf(view, page, url, 'image') ?? { kind: 'url', url });
    return ref && (ref.kind === 'url' || view.fileById.has(String(ref.file))) ? ref : undefined;
  };
  const [ref, refDark] = [refTo(cover?.url), refTo(cover?.urlDark)];
  if (!cover || !ref) return {};
  return { cover: { ref, ...(refDark ? { refDark } : {}), yPos: cover.yPos } };
}

/** Where a link page leads; what is stored as an address may be a path of the repository. */
function presentTarget(view: RevisionView, { target }: PageEntry): Pick<Page, 'target' | 'href'> {
  if (!target) return {};
  const shown = target.kind === 'url' ? linkTarget(view, String(target.url)) : target;
  return { target: shown, ...(shown.kind === 'url' ? { href: String(shown.url) } : {}) };
}

export function presentPage(
  presentation: Presentation,
  view: RevisionView,
  page: PageEntry,
  options: ContentOptions,
): Page {
  const { type, pages } = page;
  const children = pages.map((child) => presentPage(presentation, view, child, options));
  return {
    ...presentOwn(presentation, view, page, options),
    ...presentBodyFields(view, page),
    ...(type === 'document' || type === 'group' ? { pages: children } : {}),
  };
}

const downloadURL = ({ baseUrl, links }: Presentation, { blob, name }: FileEntry) =>
  baseUrl + links.pathOf({ id: blob, name });

export function presentFile(presentation: Presentation, file: FileEntry, options: ContentOptions): FileResource {
  const { id, name, contentType, size, dimensions } = file;
  return {
    id,
    name,
    contentType,
    downloadURL: downloadURL(presentation, file),
    size,
    ...(dimensions ? { dimensions } : {}),
    ...gitOf(file.git, options),
  };
}

export const presentReusable = (
  { id, title, document, git }: ReusableEntry,
  options: ContentOptions,
): ReusableContent => ({ id, title, document, ...gitOf(git, options) });

export function presentRevision(presentation: Presentation, view: RevisionView, options: ContentOptions): Revision {
  const { revision, pages, files, reusable } = view;
  return {
    object: 'revision',
    id: revision._id,
    parents: revision.parents,
    type: revision.type,
    pages: pages.map((page) => presentPage(presentation, view, page, options)),
    files: files.map((file) => presentFile(presentation, file, options)),
    reusableContents: reusable.map((entry) => presentReusable(entry, options)),
    ...(revision.variables ? { variables: revision.variables } : {}),
    createdAt: revision.createdAt,
    ...(revision.git && options.metadata ? { git: revision.git } : {}),
    urls: { app: `${presentation.baseUrl}/app/s/${revision.space}/~/revisions/${revision._id}` },
  };
}

export interface PageBodies {
  store: Store;
  work: PageWork;
}

export type BodyFormat = (typeof bodyFormats)[number];

export interface BodyOptions {
  format?: BodyFormat | undefined;
  /** For whom expressions and `if` blocks are worked out; without, they stay as written. */
  claims?: Record<string, unknown> | undefined;
}

/** A page with its body in the form that was asked for. */
export async function readPage(
  presentation: Presentation,
  bodies: PageBodies,
  view: RevisionView,
  page: PageEntry,
  options: ContentOptions & BodyOptions,
): Promise<Page> {
  const shown = presentPage(presentation, view, page, options);
  if (!options.format || page.type !== 'document') return shown;
  if (options.format === 'document') return { ...shown, document: await readDocument(bodies, view, page, options) };
  if (options.format === 'source') return { ...shown, source: (await sourceOf(bodies, view, page)).text };
  const placed = async (body: Embodied, title?: string) => {
    const { text } = await sourceOf(bodies, view, body);
    return bodies.work.markdown(text, title, inputsFor(view, body, options));
  };
  const addressOfFile = (file: FileEntry) => downloadURL(presentation, file);
  const reading = { view, page, addressOfFile, include: (entry: ReusableEntry) => placed(entry) };
  return { ...shown, markdown: await standingAlone(reading, await placed(page, page.title)) };
}

/** What a body stands in: a page, reusable content, or a document that is known by its id alone. */
export type Embodied = Pick<PageEntry, 'document' | 'git' | 'variables' | 'plain' | 'aliases'> & { title?: string };

/** A body in the document model, its links resolved within the revision. */
export async function readDocument(
  bodies: PageBodies,
  view: RevisionView,
  body: Embodied,
  options: Pick<BodyOptions, 'claims'>,
): Promise<PageBody> {
  const { text, links } = await sourceOf(bodies, view, body);
  const refs = new Map(links.flatMap((link) => refEntry(view, body, link)));
  const tags = new Map((view.revision.tags ?? []).map(({ tag, label }) => [tag, label]));
  const { title } = body;
  return bodies.work.document({ source: text, refs, title, tags, inputs: inputsFor(view, body, options) });
}

/** Absent where every reader gets the same. */
function inputsFor({ revision }: RevisionView, { variables, plain }: Embodied, { claims }: BodyOptions) {
  return claims && !plain ? inputsOf(claims, revision.variables, variables) : undefined;
}

async function sourceOf({ store }: PageBodies, { revision }: RevisionView, { document }: Embodied) {
  const found = document
    ? await store.get(pageDocuments, documentId(revision.space, document), { fields: ['source', 'links'] })
    : null;
  return { text: found?.source ?? '', links: found?.links ?? [] };
}

function refEntry(
  view: RevisionView,
  body: Embodied,
  { url, kind }: { url: string; kind: string },
): [string, unknown][] {
  const ref = refOf(view, body, url, kind);
  return ref ? [[`${kind} ${url}`, ref]] : [];
}
