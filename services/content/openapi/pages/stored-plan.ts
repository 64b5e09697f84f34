import { documentId, type PageDocument, pageDocuments } from '../../core/revisions/model.js';
import type { HasLedger, Owner } from '../../core/storage/ledger.js';
import type { ReadPage } from '../../format/document/stored-page.js';
import { blobOid } from '../../format/space/blob-oid.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { PlannedPage } from './planned-pages.js';

type Dependencies = HasWork & HasLedger;

/** The id of the document of each planned page, and what it says of the page. */
export type StoredPlan = ReadonlyMap<PlannedPage, { document: string; meta: PageDocument['meta'] }>;

const atOnce = 32;

/** Stores the documents of planned pages, which nothing points at yet. */
export async function storePlanned(deps: Dependencies, owner: Owner, planned: PlannedPage[]): Promise<StoredPlan> {
  const all = [...eachPlanned(planned)];
  const stored = new Map<PlannedPage, { document: string; meta: PageDocument['meta'] }>();
  for (let start = 0; start < all.length; start += atOnce) {
    const part = all.slice(start, start + atOnce);
    const texts = await readAll(deps, owner, part);
    const documents = new Map<string, PageDocument>();
    for (const [at, { source, page }] of texts.entries()) {
      const document = blobOid(source);
      const _id = documentId(owner.space, document);
      documents.set(_id, { _id, space: owner.space, source, ...page });
      stored.set(part[at] as PlannedPage, { document, meta: page.meta });
    }
    await deps.ledger.addDocuments(owner, pageDocuments, [...documents.values()]);
  }
  return stored;
}

interface ReadText {
  source: string;
  page: ReadPage;
}

/** Reads pages; one whose blocks are held by a text before them, such as an open code fence, goes without such texts. */
async function readAll(deps: Dependencies, owner: Owner, part: PlannedPage[]): Promise<ReadText[]> {
  const read = await readPages(deps, owner, part.map(withText));
  const broken = part.filter((plan, at) => !isWhole(plan, read[at]?.page));
  const bare = broken.length > 0 ? await readPages(deps, owner, broken.map(withoutText)) : [];
  return part.map((plan, at) => {
    const text = broken.includes(plan) ? bare[broken.indexOf(plan)] : read[at];
    if (!text?.page) throw new Error(`${plan.title}: the page of a specification cannot be read`);
    return { source: text.source, page: text.page };
  });
}

const withText = ({ title, source }: PlannedPage) => ({ path: title, source: source() });
const withoutText = ({ title, bare }: PlannedPage) => ({ path: title, source: bare() });

async function readPages({ work }: Dependencies, { organization }: Owner, texts: { path: string; source: string }[]) {
  const read = await work.read(texts, organization);
  return texts.map(({ source }, at) => {
    const page = read[at];
    return { source, page: page && 'refused' in page ? undefined : page };
  });
}

/** Each operation begins a section. */
function isWhole({ lines }: PlannedPage, page: ReadPage | undefined): boolean {
  const found = new Set(page?.sections.map(({ text }) => text.split('\n', 1)[0]));
  return lines.every((line) => found.has(line));
}

export function* eachPlanned(pages: PlannedPage[]): Generator<PlannedPage> {
  for (const page of pages) {
    yield page;
    yield* eachPlanned(page.pages);
  }
}
