import { Encoded } from '../../../shared/contract/encoded.js';
import { eachInSlices } from '../../../shared/work/slices.js';
import type { ContentDependencies } from '../dependencies.js';
import { inputsOf } from '../page-work/expression-inputs.js';
import { documentId, type FileEntry, pageDocuments, type ReusableEntry } from '../revisions/model.js';
import { refOf } from '../revisions/references.js';
import type { Page, PageBody } from '../revisions/resources.js';
import type { PageEntry, RevisionView } from '../revisions/revision-view.js';
import { type ContentOptions, downloadURL, type Presentation, presentPage } from './pages.js';
import type { bodyFormats } from './resources.js';
import { standaloneMarkdown } from './standalone-markdown.js';

type Dependencies = Pick<ContentDependencies, 'store' | 'work'>;

export interface BodyOptions {
  /** Without a format the page has no body. */
  format?: (typeof bodyFormats)[number] | undefined;
  /** The claims that expressions and `if` blocks are evaluated with; without them, both stay as written. */
  claims?: Record<string, unknown> | undefined;
  /** The organization of the space. */
  organization: string;
}

/** What has a body: a page, reusable content, or a document known by its id only. */
export type BodySource = Pick<PageEntry, 'document' | 'git' | 'variables' | 'plain' | 'aliases' | 'heading'> & {
  title?: string;
};

/** A page with its body in the format that `options` name. Documents are long; they are passed on as they come. */
export async function readPage(
  deps: Dependencies & Presentation,
  { view, page, options }: { view: RevisionView; page: PageEntry; options: ContentOptions & BodyOptions },
): Promise<Encoded<Page>> {
  const presented = presentPage(deps, view, page, options);
  const { format, claims, organization } = options;
  if (!format || page.type !== 'document') return Encoded.of(presented);
  if (format === 'document')
    return withDocument(presented, await readDocument(deps, { view, body: page, claims, organization }));
  if (format === 'source') return Encoded.of({ ...presented, source: (await sourceOf(deps, view, page)).text });
  const markdownOf = async (body: BodySource, title?: string) => {
    const { text } = await sourceOf(deps, view, body);
    const { heading } = body;
    return deps.work.markdown({ source: text, title, heading, inputs: inputsFor(view, body, claims) }, organization);
  };
  const reading = {
    view,
    page,
    addressOfFile: (file: FileEntry) => downloadURL(deps, file),
    include: (entry: ReusableEntry) => markdownOf(entry),
  };
  return Encoded.of({ ...presented, markdown: await standaloneMarkdown(reading, await markdownOf(page, page.title)) });
}

function withDocument(page: Page, { bytes }: Encoded<PageBody>): Promise<Encoded<Page>> {
  const start = Buffer.from(`${JSON.stringify(page).slice(0, -1)},"document":`);
  return Encoded.named(Buffer.concat([start, bytes, Buffer.from('}')]));
}

/** A body as a document, its links resolved within the revision. */
export async function readDocument(
  deps: Dependencies,
  { view, body, claims, organization }: { view: RevisionView; body: BodySource } & Omit<BodyOptions, 'format'>,
): Promise<Encoded<PageBody>> {
  const { text, links } = await sourceOf(deps, view, body);
  const refs = new Map<string, unknown>();
  await eachInSlices(links, ({ url, kind }) => {
    const ref = refOf(view, body, url, kind);
    if (ref) refs.set(`${kind} ${url}`, ref);
  });
  const tags = new Map((view.revision.tags ?? []).map(({ tag, label }) => [tag, label]));
  const title = body.heading ?? body.title;
  return deps.work.document({ source: text, refs, title, tags, inputs: inputsFor(view, body, claims) }, organization);
}

/** Undefined for a body that is the same for every reader. */
function inputsFor({ revision }: RevisionView, { variables, plain }: BodySource, claims: BodyOptions['claims']) {
  return claims && !plain ? inputsOf(claims, revision.variables, variables) : undefined;
}

async function sourceOf({ store }: Dependencies, { revision }: RevisionView, { document }: BodySource) {
  const found = document
    ? await store.get(pageDocuments, documentId(revision.space, document), { fields: ['source', 'links'] })
    : null;
  return { text: found?.source ?? '', links: found?.links ?? [] };
}
