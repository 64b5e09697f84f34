import type { HasStore } from '../../../../shared/store/port.js';
import { write } from '../../../../shared/store/port.js';
import { sha256 } from '../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { documentId, type PageDocument, pageDocuments, type ReusableEntry } from '../../core/revisions/model.js';
import { eachPageOf, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import type { HasLedger, Owner } from '../../core/storage/ledger.js';
import { translatedDocuments } from '../../core/translations/model.js';
import { blobOid } from '../../format/space/blob-oid.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { Translator } from './translator.js';

interface SpaceTranslation {
  /** The settings that it is made by. */
  translation: string;
  /** Changes with all that translations depend on, besides the texts. */
  key: string;
  translator: Translator;
  view: RevisionView;
  target: Owner;
  signal: AbortSignal;
}

/** The content of a space in another language. */
export interface TranslatedContent {
  pages: PageEntry[];
  reusable: ReusableEntry[];
  /** Texts that stay in the language of the source. */
  kept: number;
}

/**
 * Translates the pages of a space one by one, and stores their documents in the target. Documents that were translated before are used again, so
 * that a run goes on where another one ended.
 */
export async function translateContent(
  deps: HasStore & HasWork & HasLedger,
  translation: SpaceTranslation,
): Promise<TranslatedContent> {
  const { translator, view, signal } = translation;
  const words = await translator.translate(
    [...eachPageOf(view.pages)].flatMap(wordsOf).concat(view.reusable.map(({ title }) => title)),
  );
  const inWords = (text: string) => words.get(text) ?? text;
  let kept = 0;
  const documentOf = async (document: string) => {
    signal.throwIfAborted();
    const made = await translateDocument(deps, translation, document);
    kept += made.kept;
    return made.oid;
  };
  const pagesOf = async (pages: PageEntry[]): Promise<PageEntry[]> => {
    const made: PageEntry[] = [];
    for (const page of pages) {
      const { document, git, title, heading, linkTitle, description } = page;
      // Pages that are made from a specification follow it, also there.
      const oid = document === undefined || page.computed ? document : await documentOf(document);
      made.push({
        ...page,
        ...omitUndefined({
          title: inWords(title),
          heading: heading && inWords(heading),
          linkTitle: linkTitle && inWords(linkTitle),
          description: description && inWords(description),
          document: oid,
          git: git && oid !== undefined ? { ...git, oid } : git,
        }),
        pages: await pagesOf(page.pages),
      });
    }
    return made;
  };
  const pages = await pagesOf(view.pages);
  const reusable: ReusableEntry[] = [];
  for (const entry of view.reusable) {
    const document = await documentOf(entry.document);
    reusable.push({
      ...entry,
      title: inWords(entry.title),
      document,
      ...(entry.git ? { git: { ...entry.git, oid: document } } : {}),
    });
  }
  return { pages, reusable, kept };
}

const wordsOf = ({ title, heading, linkTitle, description }: PageEntry): string[] =>
  [title, heading, linkTitle, description].filter((text) => text !== undefined && text !== '') as string[];

/** The document of a page in the other language: one that was made before, or a new one, which is stored. */
async function translateDocument(
  deps: HasStore & HasWork & HasLedger,
  { translation, key, translator, view, target }: SpaceTranslation,
  document: string,
): Promise<{ oid: string; kept: number }> {
  const { store, work, ledger } = deps;
  const _id = sha256([translation, key, target.space, document].join(' '));
  const known = await store.get(translatedDocuments, _id);
  if (known && (await store.get(pageDocuments, documentId(target.space, known.oid), { fields: [] }))) return known;
  const found = await store.get(pageDocuments, documentId(view.revision.space, document));
  if (!found) throw new Error(`the document ${document} of a page is gone`);
  const { organization } = target;
  const texts = await translator.translate(await work.textsToTranslate(found.source, organization));
  const made = await work.translated({ source: found.source, texts }, organization);
  const [parsed] = await work.parsed([made.source], organization);
  const isTaken = parsed !== undefined && !('refused' in parsed);
  const stored: PageDocument = isTaken
    ? { ...parsed, _id: '', space: target.space, source: made.source }
    : { ...found, space: target.space };
  const oid = blobOid(stored.source);
  await ledger.addDocuments(target, pageDocuments, [{ ...stored, _id: documentId(target.space, oid) }]);
  const { kept } = isTaken ? made : { kept: texts.size };
  await store.batch([write.upsert(translatedDocuments, { _id }, { $set: { translation, oid, kept } })]);
  return { oid, kept };
}
