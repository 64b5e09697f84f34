import { Encoded } from '../../../../shared/contract/encoded.js';
import { apiError, markLasting } from '../../../../shared/errors/errors.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import type { SearchEntry } from '../../../../shared/store/search-port.js';
import { inBackground } from '../../../../shared/workers/process-priority.js';
import { rememberResults } from '../../../../shared/workers/remembered-results.js';
import {
  isTooMuch,
  openWorkers,
  perProcessor,
  type TaskFailure,
  type Workers,
} from '../../../../shared/workers/workers.js';
import type { BodyDifference } from '../differences/difference.js';
import type { Merge, MergedSource } from '../document/edits/merge-sources.js';
import type { SettledSource } from '../document/edits/settle-sources.js';
import type { PlacedMarkdown } from '../document/links/link-places.js';
import type { PageSection, ReadPage, RefusedPage } from '../document/stored-page.js';
import type { TranslatedPage, TranslatedTexts } from '../document/translation/page-translation.js';
import type { RenderedBody } from '../html/rendered-body.js';
import type { ContentRef, PageBody, ReadText, Text } from '../resources.js';
import type { Outline } from '../space/outline/outline.js';
import type { SpaceConfig } from '../space/settings/space-config.js';
import type { GivenAnswer, ReadAnswer } from '../texts/read-answer.js';
import type { ExportedPage } from './exports/exported-page.js';
import type { ExportedSettings } from './exports/exported-settings.js';
import type { Inputs } from './expression-inputs.js';
import type { ComparedReadings, ComparedSources } from './html/body-difference.js';
import type { LateHtml, LateReading } from './html/late-html.js';
import type { HtmlReading } from './html/page-html.js';
import { openShownTexts } from './html/shown-texts.js';
import type { TextHtml, TextsOfSpace } from './html/text-html.js';
import { type Dimensions, maxHead } from './image-dimensions.js';
import type { IndexedPage, OutlinedTree, WrittenPage } from './page-worker.js';
import { isSmallPage } from './small-pages.js';
import type { Fetched, OEmbed, WebPage } from './web-page.js';
import type { WrittenSource } from './written-page.js';

/**
 * Parses, converts and tokenizes pages in processes of their own; documents of small ones are made here. All work is for an `organization`;
 * organizations take turns. Throws `TaskFailure` for a page that takes too much time (503) or memory (422).
 */
export interface PageWork {
  /** For imports. Throws 422 with the path of the page that takes too much. */
  read(pages: ImportedPage[], organization: string): Promise<(ReadPage | RefusedPage)[]>;
  /** For writers: the new source of a page, with the places of its links. */
  written(source: WrittenSource, organization: string): Promise<WrittenPage>;
  /** For writers: what is parsed from sources that they made. */
  parsed(sources: string[], organization: string): Promise<(ReadPage | RefusedPage)[]>;
  /** For writers: a source with blocks of another. */
  reverted(blocks: RevertedBlocks, organization: string): Promise<{ source: string } | { unknown: string[] }>;
  /** For merges: the sources of both sides in one. */
  merged(sources: Merge, organization: string): Promise<MergedSource>;
  /** For a writer who saves what others changed meanwhile. */
  settled(sources: { base: string; mine: string; theirs: string }, organization: string): Promise<SettledSource>;
  /** For imports. Throws 422 when the table of contents takes too much. */
  outline(tree: OutlinedTree, organization: string): Promise<Outline>;
  /** For imports. Throws `TaskFailure` for an image that takes too much. */
  dimensions(image: Buffer, organization: string): Promise<Dimensions | undefined>;
  /** For imports: reads a `.gitbook.yaml`. */
  spaceConfig(text: string | undefined, organization: string): Promise<SpaceConfig>;
  /** For exports: the new sources of pages. Throws 422 with the path of the page that takes too much. */
  exported(pages: (ExportedPage & { path: string })[], organization: string): Promise<string[]>;
  /** For exports: the new texts of settings, by path. */
  exportedSettings(settings: ExportedSettings, organization: string): Promise<ReadonlyMap<string, string>>;
  /** For imports. Throws 422 with the title of the page that takes too much. */
  entries(pages: IndexedPage[], organization: string): Promise<SearchEntry[]>;
  /** Throws 422 for a document larger than 64 MiB. */
  document(body: DocumentBody, organization: string): Promise<Encoded<PageBody>>;
  /** The body as HTML, for the readers of sites. */
  html(body: HtmlReading, organization: string): Promise<RenderedBody>;
  /** The same for a writer, of a text that changes while it is typed: nobody waits for it long. */
  preview(body: HtmlReading, organization: string): Promise<RenderedBody>;
  /** The difference between two bodies as HTML, by lines where it cannot be shown by blocks. */
  difference(bodies: ComparedReadings, organization: string): Promise<BodyDifference>;
  /** The same by lines, for bodies that take too much. */
  lineDifference(sources: ComparedSources, organization: string): Promise<BodyDifference>;
  /** Blocks that depend on more than the revision, as HTML. */
  late(blocks: LateReading[], organization: string): Promise<LateHtml[]>;
  /** The keys of all blocks of a body. */
  blockKeys(body: DocumentBody, organization: string): Promise<ReadonlySet<string>>;
  /** The text of a block in one line; undefined where the body has no block with this key. */
  blockPreview(block: DocumentBody & { key: string }, organization: string): Promise<string | undefined>;
  /** The page as markdown; without a `title`, its body only. */
  markdown(page: MarkdownBody, organization: string): Promise<PlacedMarkdown>;
  /** The sections of a page that a search compares with its query, evaluated for a reader with these inputs. */
  sections(page: SectionsBody, organization: string, wait: { withinMs: number }): Promise<PageSection[]>;
  /** The ids of files and reusable content in `refs` that a body shows a reader with these inputs. */
  idsIn(body: ReferringBody, organization: string): Promise<string[]>;
  /** For writers: texts in both forms. */
  texts(texts: Text[], organization: string): Promise<(ReadText | { refused: string })[]>;
  /** For translations: the texts of a page, with marks in place of what is not translated. */
  textsToTranslate(source: string, organization: string): Promise<string[]>;
  /** For translations: the page with these texts. */
  translated(page: TranslatedTexts, organization: string): Promise<TranslatedPage>;
  /** An answer of a model in both forms. */
  answer(given: GivenAnswer, organization: string): Promise<ReadAnswer>;
  /** Texts of a space as HTML, in their order. Throws for none that takes too much. */
  textsHtml(texts: TextsOfSpace, organization: string): Promise<TextHtml[]>;
  /** The metadata of a page of another site, and the oEmbed endpoint that it names. */
  webPage(page: Fetched, organization: string): Promise<WebPage & { oEmbed?: string }>;
  /** Undefined for what is no answer of an oEmbed endpoint. */
  oEmbed(answer: Fetched, organization: string): Promise<OEmbed | undefined>;
  close(): Promise<void>;
}

export interface ImportedPage {
  path: string;
  source: string;
}

export interface RevertedBlocks {
  base: string;
  tip: string;
  /** The keys of blocks of either. */
  keys: string[];
  /** The title of the page. */
  title: string;
  /** The labels of tags. */
  tags: ReadonlyMap<string, string>;
}

export interface MarkdownBody {
  source: string;
  title?: string | undefined;
  /** A first heading that says so is replaced by the title. */
  heading?: string | undefined;
  inputs?: Inputs | undefined;
}

export interface SectionsBody {
  source: string;
  /** A first heading that repeats it is left out. */
  title: string;
  inputs: Inputs;
}

export interface ReferringBody {
  source: string;
  /** By `<kind> <url>`. */
  refs: ReadonlyMap<string, ContentRef>;
  inputs: Inputs;
}

export interface DocumentBody {
  source: string;
  /** The targets of the page's links, by `<kind> <url>`. */
  refs: ReadonlyMap<string, unknown>;
  /** A first heading that repeats it is left out. */
  title: string | undefined;
  /** The labels of tags. */
  tags?: ReadonlyMap<string, string> | undefined;
  /** Values to evaluate the body with; without them, it stays as written. */
  inputs?: Inputs | undefined;
}

interface Together<I, R> {
  run(items: I[]): Promise<R[]>;
  nameOf(item: I): string;
}

/** Works on pages together; where that takes too much, on each alone, so that the failure names the page it is about. */
async function runTogether<I, R>(items: I[], { run, nameOf }: Together<I, R>): Promise<R[]> {
  try {
    return await run(items);
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    const [first, ...others] = items;
    if (first === undefined || others.length === 0)
      throw limitExceeded(first === undefined ? '' : nameOf(first), error);
  }
  const results: R[] = [];
  for (const item of items) results.push(...(await runTogether([item], { run, nameOf })));
  return results;
}

/** Not retried: it would exceed the same limit again. */
function limitExceeded(page: string, { failure }: TaskFailure): Error {
  const what = failure === 'memory' ? 'memory' : 'time';
  const error = apiError(
    'UNPROCESSABLE',
    `${page}: needs more ${what} to process than is allowed; make the page smaller`,
    'too_complex',
  );
  return markLasting(error);
}

/** The input of a document, as its key in memory. */
const documentKeyParts = ({ source, refs, title, tags = new Map(), inputs }: DocumentBody): unknown[] => [
  source,
  [...refs],
  title,
  [...tags],
  inputs,
];

const lengthOfSections = (sections: PageSection[]) =>
  sections.reduce((sum, { title = '', text }) => sum + title.length + text.length + 100, 0);

/** Timeout in milliseconds for reading one image. */
const lookMs = scaleMs(1000);
/** Timeouts in milliseconds: one answer looks at many bodies; slow ones are left out. */
const forKeys = { client: 'targets', waitMs: scaleMs(1000), deadlineMs: scaleMs(2000) };

/** Timeouts in milliseconds; slower embeds are left out of the answer. */
const forEmbeds = { client: 'embeds', waitMs: scaleMs(1000), deadlineMs: scaleMs(1000) };

/** About the bytes that the keys of a body take in memory. */
const sizeOfKeys = ({ size }: ReadonlySet<string>) => 80 * size;

/** Milliseconds after which the client of a request has given up. */
const requestMs = scaleMs(10_000);
/** No timeout: the result is kept for the next request. */
const forAnyone = { waitMs: Number.POSITIVE_INFINITY };

const module = new URL('./page-worker.js', import.meta.url);
/** Its tasks, for what needs no process; loaded with the first. */
const importTasks = () => import('./page-worker.js');

async function encodedDocument(body: DocumentBody, reading: Workers, owner: string): Promise<Buffer> {
  if (!isSmallPage(body)) return reading.run('encodedDocument', body, { owner, ...forAnyone });
  return (await importTasks()).encodedDocument({ ...body, refs: body.refs as ReadonlyMap<string, never> });
}

async function renderMarkdown(page: MarkdownBody, reading: Workers, owner: string): Promise<PlacedMarkdown> {
  return isSmallPage(page) ? (await importTasks()).markdown(page) : reading.run('markdown', page, { owner });
}

/** Reading goes before importing, and one organization never takes all of it. */
function openWorkerPools() {
  const maxProcesses = perProcessor(1, { least: 1, max: 3 }) + 1;
  const reading = openWorkers({
    module,
    max: maxProcesses,
    maxOfOwner: maxProcesses - 1,
    deadlineMs: scaleMs(5000),
    memoryMb: 384,
    waiting: 200,
    waitMs: requestMs,
  });
  const maxImporting = perProcessor(0.5, { least: 2, max: 4 });
  const importing = openWorkers({
    module,
    max: maxImporting,
    maxOfOwner: maxImporting - 1,
    deadlineMs: scaleMs(10_000),
    memoryMb: 512,
    waiting: 100,
    niceness: inBackground,
  });
  return { reading, importing };
}

export function openPageWork(): PageWork {
  const { reading, importing } = openWorkerPools();
  const documents = rememberResults<Encoded<PageBody>>({
    maxSize: 64 * 1024 * 1024,
    sizeOf: ({ bytes }) => bytes.length,
  });
  const keys = rememberResults<ReadonlySet<string>>({ maxSize: 32 * 1024 * 1024, sizeOf: sizeOfKeys });
  const sections = rememberResults<PageSection[]>({ maxSize: 50_000_000, sizeOf: lengthOfSections });
  const textsHtml = openShownTexts((texts, options) => reading.run('textsHtml', texts, options));
  return {
    read: (pages, owner) =>
      runTogether(pages, {
        run: (part) =>
          importing.run(
            'readPages',
            part.map(({ source }) => source),
            { owner },
          ),
        nameOf: ({ path }) => path,
      }),
    written: (source, owner) => reading.run('writtenPage', source, { owner, client: 'writer' }),
    parsed: (sources, owner) => reading.run('readPages', sources, { owner, client: 'writer' }),
    reverted: (blocks, owner) => reading.run('revertBlocks', blocks, { owner, client: 'writer' }),
    merged: (sources, owner) => reading.run('mergeSources', sources, { owner, client: 'writer' }),
    settled: (sources, owner) => reading.run('settleSources', sources, { owner, client: 'writer' }),
    outline: async (tree, owner) => {
      const [made] = await runTogether([tree], {
        run: async () => [await importing.run<Outline>('outline', tree, { owner })],
        nameOf: () => 'The table of contents',
      });
      return made as Outline;
    },
    dimensions: (image, owner) =>
      importing.run('imageDimensions', image.subarray(0, maxHead), { owner, deadlineMs: lookMs }),
    spaceConfig: (text, owner) => importing.run('spaceConfig', text, { owner }),
    exported: (pages, owner) =>
      runTogether(pages, {
        run: (part) => importing.run('exportedPages', part, { owner }),
        nameOf: ({ path }) => path,
      }),
    exportedSettings: async (settings, owner) => {
      const [made] = await runTogether([settings], {
        run: async () => [await importing.run<ReadonlyMap<string, string>>('exportedSettings', settings, { owner })],
        nameOf: () => 'The table of contents',
      });
      return made as ReadonlyMap<string, string>;
    },
    entries: (pages, owner) =>
      runTogether(pages, {
        run: (part) => importing.run('searchEntries', part, { owner }),
        nameOf: ({ title }) => title,
      }),
    document: (body, owner) =>
      documents(documentKeyParts(body), async () => Encoded.ofNamedBytes(await encodedDocument(body, reading, owner))),
    html: (body, owner) => reading.run('bodyHtml', body, { owner, ...forAnyone }),
    preview: (body, owner) => reading.run('bodyHtml', body, { owner, client: 'writer' }),
    difference: (bodies, owner) => reading.run('bodyDifference', bodies, { owner, ...forAnyone }),
    lineDifference: (sources, owner) => reading.run('lineDifference', sources, { owner, ...forAnyone }),
    late: (blocks, owner) => reading.run('lateHtml', blocks, { owner, ...forAnyone }),
    blockKeys: (body, owner) =>
      keys(
        documentKeyParts(body),
        async () => new Set(await reading.run<string[]>('blockKeys', body, { owner, ...forKeys })),
      ),
    blockPreview: (block, owner) => reading.run('blockPreview', block, { owner }),
    markdown: (page, owner) => renderMarkdown(page, reading, owner),
    sections: (page, owner, { withinMs }) =>
      sections([page.source, page.title, page.inputs], () =>
        reading.run('sections', page, { owner, client: 'search', waitMs: withinMs, deadlineMs: scaleMs(2000) }),
      ),
    idsIn: (body, owner) => reading.run('idsIn', body, { owner }),
    texts: (texts, owner) => reading.run('readTexts', texts, { owner, client: 'writer' }),
    textsToTranslate: (source, owner) => importing.run('textsToTranslate', { source }, { owner }),
    translated: (page, owner) => importing.run('translatePage', page, { owner }),
    answer: (given, owner) => reading.run('readAnswer', given, { owner, client: 'answers' }),
    textsHtml,
    webPage: (page, owner) => reading.run('webPage', page, { owner, ...forEmbeds }),
    oEmbed: (answer, owner) => reading.run('oEmbed', answer, { owner, ...forEmbeds }),
    async close() {
      await Promise.all([reading.close(), importing.close()]);
    },
  };
}

export type HasWork = { work: PageWork };
