import type { Encoded } from '../../../../../shared/contract/encoded.js';
import type { Call } from '../../../../../shared/contract/service.js';
import { apiError, invalid, notFound } from '../../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import { isTooMuch } from '../../../../../shared/workers/workers.js';
import { documentId, pageDocuments } from '../../../core/revisions/model.js';
import { emojiSaid, titleSaid } from '../../../core/revisions/page-fields.js';
import type { PageEntry, RevisionView } from '../../../core/revisions/revision-view.js';
import type { HasWork } from '../../../format/workers/page-work.js';
import type { WrittenPage } from '../../../format/workers/page-worker.js';
import { encodeShownPage, type PreviewedPage, type PreviewPage } from '../../contract.js';
import { gatherText } from '../body-parts.js';
import { laterParts, type ShowsPages, wholeBody } from '../shown-page.js';
import { viewOfVisitor, wholeViewOf } from '../visited-view.js';

/** As of a page that is written. */
const maxText = 2_000_000;

/** A text as a page, as it would be shown. */
export async function previewPage(
  deps: ShowsPages & HasWork,
  { visitor, page: id, markdown }: PreviewPage,
  call: Call,
): Promise<Encoded<PreviewedPage | null>> {
  if (markdown.length > maxText) throw invalid(`markdown: at most ${maxText.toLocaleString('en')} characters`);
  const visited = await viewOfVisitor(deps, visitor);
  const { organization } = visited;
  // Its author sees it, whatever its condition says.
  const view = await wholeViewOf(deps, visitor, visitor.space);
  const page = id === undefined ? undefined : view.pageById.get(id);
  if (id !== undefined && page?.type !== 'document') throw notFound('Page');
  const made = taken(await orTooComplex(deps.work.written({ source: markdown, exact: true, edits: {} }, organization)));
  const { meta, links } = made;
  const before = await storedWords(deps, view, page);
  const title = titleSaid({ before, made }) ?? page?.title;
  const heading = title === page?.title ? page?.heading : undefined;
  const { variables, icon, description, problem } = meta;
  const emoji = emojiSaid({ before, made }, page);
  const body = omitUndefined({ git: page?.git, aliases: page?.aliases, variables, title, heading });
  const { reading } = await gatherText(
    deps,
    { view, body, claims: visited.visitor.claims },
    { source: markdown, links, meta },
  );
  const rendered = await orTooComplex(deps.work.preview(reading, organization));
  const parts = await laterParts(deps, { visitor, visited, body: rendered, call });
  const shown = { title, emoji, icon, description, problem, body: wholeBody(rendered, parts) };
  return encodeShownPage<PreviewedPage>(omitUndefined(shown) as PreviewedPage);
}

function taken(made: WrittenPage): Exclude<WrittenPage, { refused: string }> {
  if ('refused' in made) throw invalid(`markdown: ${made.refused}`);
  return made;
}

/** The title and the emoji that the stored text of a page says. */
async function storedWords(
  { store }: HasStore,
  { revision }: RevisionView,
  page: PageEntry | undefined,
): Promise<{ title?: string | undefined; emoji?: string | undefined }> {
  if (page?.document === undefined) return {};
  const id = documentId(revision.space, page.document);
  const { title, meta } = (await store.get(pageDocuments, id, { fields: ['title', 'meta'] })) ?? {};
  return { title, emoji: meta?.emoji };
}

/** Throws 422 for a text that takes too much time or memory. */
async function orTooComplex<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    throw apiError('UNPROCESSABLE', 'markdown: takes too much time or memory to show; make it shorter', 'too_complex');
  }
}
