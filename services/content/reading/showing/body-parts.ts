import type { HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import { documentId, type PageDocument, pageDocuments, type ReusableEntry } from '../../core/revisions/model.js';
import { resolveRef } from '../../core/revisions/references.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { DocumentRef } from '../../format/document/document-model.js';
import type { PageBehindLink, ShownFile } from '../../format/html/rendered-body.js';
import { expressionInputs } from '../../format/workers/expression-inputs.js';
import type { HtmlReading } from '../../format/workers/html/page-html.js';
import type { DocumentReading } from '../../format/workers/page-document.js';
import type { Presentation } from '../pages/pages.js';
import { linkToPage } from './page-places.js';

/** A page or a reusable content, with what its body is read by. */
export type ShownSource = Pick<PageEntry, 'document' | 'git' | 'variables' | 'aliases' | 'heading'> & {
  title?: string;
};

/** Reusable contents that one page includes, also within each other. */
const maxIncludes = 200;

export interface GatheredBody {
  reading: HtmlReading;
  /** It is the same for every reader. */
  plain: boolean;
}

/**
 * Gathers what the HTML of a page is made of: its source, what it includes, and the pages and files that it names. Without claims, it is
 * not evaluated.
 */
export async function gatherBody(
  deps: HasStore & Pick<Presentation, 'links'>,
  { view, page, claims }: { view: RevisionView; page: ShownSource; claims?: Record<string, unknown> },
): Promise<GatheredBody> {
  return withIncluded(deps, { view, claims }, await read(deps, { view, body: page, claims }));
}

/** As `gatherBody`, of a text that is not stored. */
export async function gatherText(
  deps: HasStore & Pick<Presentation, 'links'>,
  reading: Reading,
  text: SourceText,
): Promise<GatheredBody> {
  return withIncluded(deps, reading, await readText(reading, text));
}

async function withIncluded(
  deps: HasStore & Pick<Presentation, 'links'>,
  { view, claims }: Pick<Reading, 'view' | 'claims'>,
  own: ReadBody,
): Promise<GatheredBody> {
  const reusable = new Map(view.reusable.map((entry) => [entry.id, entry]));
  const included = new Map<string, DocumentReading>();
  const all = [own];
  const open: ReusableEntry[] = includedBy(own.reading, reusable);
  for (let entry = open.pop(); entry && included.size < maxIncludes; entry = open.pop()) {
    if (included.has(entry.id)) continue;
    const body = await read(deps, { view, body: sourceOfReusable(entry), claims });
    included.set(entry.id, body.reading);
    all.push(body);
    open.push(...includedBy(body.reading, reusable));
  }
  const refs = all.flatMap(({ reading }) => [...reading.refs.values()]);
  const reading = { ...own.reading, included, pages: linkedPages(view, refs), files: shownFiles(deps, view, refs) };
  return { reading, plain: all.every(({ plain }) => plain) };
}

/** A reusable content; its title is not shown, so that no heading repeats it. */
export const sourceOfReusable = ({ title: _, ...entry }: ReusableEntry): ShownSource => entry;

const includedBy = ({ refs }: DocumentReading, reusable: ReadonlyMap<string, ReusableEntry>): ReusableEntry[] =>
  [...refs.values()].flatMap((ref) =>
    ref.kind === 'reusable-content' ? (reusable.get(ref.reusableContent) ?? []) : [],
  );

interface Reading {
  view: RevisionView;
  body: ShownSource;
  claims: Record<string, unknown> | undefined;
}

type SourceText = Pick<PageDocument, 'source' | 'links'> & { meta: Pick<PageDocument['meta'], 'plain'> };

interface ReadBody {
  reading: DocumentReading;
  plain: boolean;
}

async function read({ store }: HasStore, reading: Reading): Promise<ReadBody> {
  const { view, body } = reading;
  const fields = { fields: ['source' as const, 'links' as const, 'meta' as const] };
  const id = body.document && documentId(view.revision.space, body.document);
  const found = id ? await store.get(pageDocuments, id, fields) : null;
  return readText(reading, found ?? { source: '', links: [], meta: {} });
}

async function readText({ view, body, claims }: Reading, { source, links, meta }: SourceText): Promise<ReadBody> {
  const { revision } = view;
  const refs = new Map<string, DocumentRef>();
  await eachInSlices(links, ({ url, kind }) => {
    const ref = resolveRef(view, body, url, kind);
    if (ref) refs.set(`${kind} ${url}`, ref as DocumentRef);
  });
  const tags = new Map((revision.tags ?? []).map(({ tag, label }) => [tag, label]));
  const plain = meta.plain === true;
  const inputs = plain || !claims ? undefined : expressionInputs(claims, revision.variables, body.variables);
  const reading: DocumentReading = { source, refs, title: body.heading ?? body.title, tags, inputs };
  return { reading, plain };
}

/** The pages that references name, as links to them show them; those that the view lacks are left out. */
function linkedPages(view: RevisionView, refs: DocumentRef[]): Map<string, PageBehindLink> {
  const linked = new Map<string, PageBehindLink>();
  for (const ref of refs) {
    const id = ref.kind === 'page' || (ref.kind === 'anchor' && ref.page !== undefined) ? ref.page : undefined;
    const page = id === undefined || ('space' in ref && ref.space !== undefined) ? undefined : view.pageById.get(id);
    if (!page || linked.has(page.id)) continue;
    const { id: _, ...link } = linkToPage(view, page);
    linked.set(page.id, {
      ...link,
      title: page.title,
      ...omitUndefined({ description: page.description || undefined }),
    });
  }
  return linked;
}

function shownFiles({ links }: Pick<Presentation, 'links'>, view: RevisionView, refs: DocumentRef[]) {
  const shown = new Map<string, ShownFile>();
  for (const ref of refs) {
    const file = ref.kind === 'file' ? view.fileById.get(ref.file) : undefined;
    if (!file || shown.has(file.id)) continue;
    const { name, contentType, size, dimensions } = file;
    const path = links.signedPathOf({ id: file.blob, name });
    shown.set(file.id, omitUndefined({ name, contentType, size, path, dimensions }));
  }
  return shown;
}
