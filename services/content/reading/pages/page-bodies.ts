import { Encoded } from '../../../../shared/contract/encoded.js';
import { unchangedAnswer } from '../../../../shared/contract/service.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { documentId, type FileEntry, pageDocuments, type ReusableEntry } from '../../core/revisions/model.js';
import { resolveRef } from '../../core/revisions/references.js';
import type { Page } from '../../core/revisions/resources.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { PageBody } from '../../format/resources.js';
import { expressionInputs } from '../../format/workers/expression-inputs.js';
import type { DocumentBody, HasWork } from '../../format/workers/page-work.js';
import type { HasContents } from './encoded-contents.js';
import { ShownAddresses } from './other-spaces/shown-addresses.js';
import { type ContentOptions, downloadURL, type Presentation, presentPage } from './pages.js';
import type { Reading } from './reading.js';
import type { bodyFormats } from './resources.js';
import { standaloneMarkdown } from './standalone-markdown.js';

type Dependencies = HasStore & HasWork;

export interface BodyOptions {
  /** Without a format the page has no body. */
  format?: (typeof bodyFormats)[number] | undefined;
  /** The claims that expressions and `if` blocks are evaluated with; without them, both stay as written. */
  claims?: Record<string, unknown> | undefined;
}

/** A page, reusable content, or a document known by its id only: each has a body. */
export type BodySource = Pick<PageEntry, 'document' | 'git' | 'variables' | 'plain' | 'aliases' | 'heading'> & {
  title?: string;
};

export interface PageReading {
  reading: Reading;
  page: PageEntry;
  options: ContentOptions & BodyOptions;
}

/** A page with its body in the format that `options` name. Documents are long; they are passed on as they come. */
export async function readPage(
  deps: Dependencies & Presentation & HasTrees & HasRevisions & HasContents,
  { reading, page, options }: PageReading,
): Promise<Encoded<Page>> {
  const { view, organization } = reading;
  const { format, claims } = options;
  if (format === 'markdown' && page.type === 'document') {
    const elsewhere = reading.visitor ? undefined : new ShownAddresses(deps, { organization, caller: reading.caller });
    const markdown = await readMarkdown(deps, { reading, page, options }, elsewhere);
    return Encoded.of({ ...presentPage(deps, view, page, options), markdown });
  }
  if (reading.isUnchanged()) return unchangedAnswer;
  const kind = `${format} ${claims && (reading.visitor?.key ?? 'evaluated')}`;
  return deps.contents.page({ view, page, options }, kind, async () => {
    const presented = presentPage(deps, view, page, options);
    if (!format || page.type !== 'document') return Encoded.of(presented);
    if (format === 'document')
      return withDocument(presented, await readDocument(deps, { view, body: page, claims, organization }));
    return Encoded.of({ ...presented, source: (await sourceOf(deps, view, page)).text });
  });
}

/** Notes the version, unless the text shows addresses in other spaces: these depend on more than the revision. */
async function readMarkdown(
  deps: Dependencies & Presentation,
  { reading, page, options }: PageReading,
  elsewhere: ShownAddresses | undefined,
): Promise<string> {
  const { view, organization } = reading;
  const { links } = await sourceOf(deps, view, page);
  const mayLeadElsewhere = elsewhere && links.some(({ url, kind }) => kind === 'include' || url.startsWith('/spaces/'));
  if (!mayLeadElsewhere) reading.noteVersion();
  const markdown = await pageMarkdown(deps, { view, organization, page, claims: options.claims, elsewhere });
  if (mayLeadElsewhere && !elsewhere.areUsed) reading.noteVersion();
  return markdown;
}

interface MarkdownReading extends Pick<BodyOptions, 'claims'> {
  view: RevisionView;
  organization: string;
  page: PageEntry;
  elsewhere?: ShownAddresses | undefined;
}

/** A page as Markdown that can be read outside the space, with what it includes. */
export async function pageMarkdown(
  deps: Dependencies & Presentation,
  { view, organization, page, claims, elsewhere }: MarkdownReading,
): Promise<string> {
  const markdownOf = (text: string, body: BodySource, title?: string) => {
    const { heading } = body;
    return deps.work.markdown({ source: text, title, heading, inputs: inputsFor(view, body, claims) }, organization);
  };
  const { text } = await sourceOf(deps, view, page);
  const parts = {
    view,
    page,
    elsewhere,
    addressOfFile: (file: FileEntry) => downloadURL(deps, file),
    include: async (entry: ReusableEntry) => markdownOf((await sourceOf(deps, view, entry)).text, entry),
  };
  return standaloneMarkdown(parts, await markdownOf(text, page, page.title));
}

function withDocument(page: Page, { bytes }: Encoded<PageBody>): Promise<Encoded<Page>> {
  const start = Buffer.from(`${JSON.stringify(page).slice(0, -1)},"document":`);
  return Encoded.ofNamedBytes(Buffer.concat([start, bytes, Buffer.from('}')]));
}

interface DocumentReading extends Pick<BodyOptions, 'claims'> {
  view: RevisionView;
  body: BodySource;
}

/** A body as a document, its links resolved within the revision. */
export async function readDocument(
  deps: Dependencies,
  { organization, ...reading }: DocumentReading & { organization: string },
): Promise<Encoded<PageBody>> {
  return deps.work.document(await documentBody(deps, reading), organization);
}

/** Gathers everything that the document of a body is made of. */
export async function documentBody(
  deps: Pick<Dependencies, 'store'>,
  { view, body, claims }: DocumentReading,
): Promise<DocumentBody> {
  const { text, links } = await sourceOf(deps, view, body);
  const refs = new Map<string, unknown>();
  await eachInSlices(links, ({ url, kind }) => {
    const ref = resolveRef(view, body, url, kind);
    if (ref) refs.set(`${kind} ${url}`, ref);
  });
  const tags = new Map((view.revision.tags ?? []).map(({ tag, label }) => [tag, label]));
  const title = body.heading ?? body.title;
  return { source: text, refs, title, tags, inputs: inputsFor(view, body, claims) };
}

/** Undefined for a body that is the same for every reader. */
function inputsFor({ revision }: RevisionView, { variables, plain }: BodySource, claims: BodyOptions['claims']) {
  return claims && !plain ? expressionInputs(claims, revision.variables, variables) : undefined;
}

async function sourceOf({ store }: Pick<Dependencies, 'store'>, { revision }: RevisionView, { document }: BodySource) {
  const found = document
    ? await store.get(pageDocuments, documentId(revision.space, document), { fields: ['source', 'links'] })
    : null;
  return { text: found?.source ?? '', links: found?.links ?? [] };
}
