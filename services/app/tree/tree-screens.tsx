import { invalid } from '../../../shared/errors/errors.js';
import type { Page } from '../../content/resources.js';
import { type WrittenPath, writablePlace } from '../editing/edited-place.js';
import { Empty, Heading } from '../elements/elements.js';
import type { FormFields } from '../frame/form-fields.js';
import { type Onward, type Route, type ScreenRequest, screen, type View } from '../frame/screen.js';
import { placeAround } from '../reading/around.js';
import type { Place } from '../reading/places.js';
import { filesSection } from './files.js';
import { coverIn, withLook } from './front-matter.js';
import { addForm, pagePanel, panelForm } from './page-panel.js';
import { type Entry, entriesOf, newPlace, placementFor } from './pages.js';
import { pageRow, treeList } from './tree-list.js';
import { insertedFiles } from './uploads.js';
import { filesOf, pagesOf, revisionOf, sourceOf, writeTo } from './writing.js';

/** Adding, moving and describing the pages of live content, and of a change request. */
export const treeScreens = (): Route[] => [
  screen({
    path: '/s/{space}/~/tree',
    show: (request) => treeView(request, request.path),
    actions: actionsAt((request) => request.path as unknown as WrittenPath),
  }),
  screen({
    path: '/s/{space}/~/changes/{number}/~/tree',
    show: (request) => treeView(request, request.path),
    actions: actionsAt((request) => request.path as unknown as WrittenPath),
  }),
];

async function treeView(request: ScreenRequest, at: WrittenPath): Promise<View> {
  const { words, query, to } = request;
  const place = await writablePlace(request, at);
  const entries = entriesOf(await pagesOf(request, place));
  const chosen = entries.find(({ page }) => page.id === query.get('page'));
  const [source, files] = await Promise.all([
    chosen?.page.type === 'document' ? sourceOf(request, place, chosen.page.id) : undefined,
    filesOf(request, place, query.get('files') ?? undefined),
  ]);
  const revision = revisionOf(place);
  const base = to.tree(place.space.id, place.changeRequest?.number ?? null);
  const shown = { place, entries, revision, base };
  return {
    title: words.tree.title,
    ...placeAround(request, place),
    scripts: ['tree'],
    wide: true,
    main: (
      <>
        <Heading title={words.tree.title} lead={words.tree.lead}>
          {addForm(request, shown, chosen)}
        </Heading>
        <div class={chosen ? 'tree-columns has-panel' : 'tree-columns'}>
          {entries.length === 0 ? (
            <Empty>{words.tree.noPages}</Empty>
          ) : (
            treeList(request, entries, { base, chosen: chosen?.page.id, row: pageRow })
          )}
          {chosen && pagePanel(request, { ...shown, entry: chosen, cover: source && coverIn(source) })}
        </div>
        {panelForm(request, revision)}
        {filesSection(request, { files, base, revision })}
      </>
    ),
  };
}

type Acting = (request: ScreenRequest, fields: FormFields) => Promise<Onward>;
type Act = (request: ScreenRequest, fields: FormFields, at: Acted) => Promise<Onward>;

interface Acted {
  place: Place;
  base: string;
  entries: Entry[];
}

/** The actions of both screens; each begins with the place as it is by now. */
function actionsAt(atOf: (request: ScreenRequest) => WrittenPath): Record<string, Acting> {
  const acting =
    (act: Act): Acting =>
    async (request, fields) => {
      const place = await writablePlace(request, atOf(request));
      const base = request.to.tree(place.space.id, place.changeRequest?.number ?? null);
      return act(request, fields, { place, base, entries: entriesOf(await pagesOf(request, place)) });
    };
  return Object.fromEntries(Object.entries(acts).map(([name, act]) => [name, acting(act)]));
}

const pageAt = (base: string, id: string): string => `${base}?page=${encodeURIComponent(id)}`;

/** The revision that the writer saw. */
const seen = (fields: FormFields) => {
  const revision = fields.optional('revision');
  return revision === undefined ? {} : { revision };
};

const acts: Record<string, Act> = {
  async add(request, fields, { place, base, entries }) {
    const where = newPlace(request.words, entries, fields.raw('where'));
    const change = { operation: 'insert_page', title: fields.text('title'), document: { markdown: '' } } as const;
    await writeTo(request, place, { changes: [{ ...change, ...where }], ...seen(fields) });
    const known = new Set(entries.map(({ page }) => page.id));
    const after = await pagesOf(request, await writablePlace(request, atOfPlace(place)));
    const made = entriesOf(after).find(({ page }) => !known.has(page.id));
    return { to: made ? pageAt(base, made.page.id) : base, done: 'created' };
  },

  async describe(request, fields, { place, base }) {
    const page = fields.text('page');
    const change = {
      operation: 'update_page' as const,
      page,
      title: fields.text('title'),
      slug: fields.text('slug'),
      description: fields.text('description'),
      emoji: fields.text('emoji'),
      icon: fields.text('icon'),
      condition: fields.text('condition'),
      hidden: fields.isOn('hidden'),
      noIndex: fields.isOn('noIndex'),
      noRobotsIndex: fields.isOn('noRobotsIndex'),
    };
    await writeTo(request, place, { changes: [withoutUnsent(change, fields)], ...seen(fields) });
    return { to: pageAt(base, page), done: 'saved' };
  },

  async look(request, fields, { place, base, entries }) {
    const page = fields.text('page');
    const shown = entries.find((entry) => entry.page.id === page)?.page;
    if (!shown?.layout) throw invalid(request.words.tree.gone);
    const look = { cover: fields.text('cover'), layout: layoutOf(shown.layout, fields) };
    const source = withLook(await sourceOf(request, place, page), look, shown.layout);
    if (source === undefined) throw invalid(request.words.tree.badFrontMatter);
    const change = { operation: 'update_page' as const, page, document: { markdown: source, exact: true } };
    await writeTo(request, place, { changes: [change], ...seen(fields) });
    return { to: pageAt(base, page), done: 'saved' };
  },

  async move(request, fields, { place, base, entries }) {
    const page = fields.text('page');
    const move = { page, how: fields.text('how'), target: fields.text('target') };
    const change = { operation: 'update_page' as const, page, ...placementFor(request.words, entries, move) };
    await writeTo(request, place, { changes: [change], ...seen(fields) });
    const address = fields.isOn('stay') ? base : pageAt(base, page);
    return { to: `${address}#page-${page}`, done: 'saved' };
  },

  async delete(request, fields, { place, base }) {
    const change = { operation: 'delete_page' as const, page: fields.text('page') };
    await writeTo(request, place, { changes: [change], ...seen(fields) });
    return { to: base, done: 'deleted' };
  },

  async upload(request, fields, { place, base }) {
    const changes = insertedFiles(fields.files('files'));
    if (changes.length === 0) throw invalid(request.words.imports.noFiles);
    await writeTo(request, place, { changes });
    return { to: `${base}#files`, done: 'saved' };
  },
};

const atOfPlace = ({ space, changeRequest }: Place): WrittenPath => ({
  space: space.id,
  ...(changeRequest ? { number: String(changeRequest.number) } : {}),
});

/** A page without an own address, or without front matter, has fewer fields: what its form did not have is left as it is. */
function withoutUnsent<C extends { slug?: string; condition?: string; noIndex?: boolean; noRobotsIndex?: boolean }>(
  change: C,
  fields: FormFields,
): C {
  const sent = { ...change };
  if (!fields.isOn('slug')) delete sent.slug;
  if (!fields.isOn('condition')) delete sent.condition;
  if (!fields.isOn('indexing')) {
    delete sent.noIndex;
    delete sent.noRobotsIndex;
  }
  return sent;
}

const layoutSwitches = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'cover',
] as const;

function layoutOf(before: NonNullable<Page['layout']>, fields: FormFields): NonNullable<Page['layout']> {
  const layout = { ...before };
  for (const name of layoutSwitches) layout[name] = fields.isOn(`show-${name}`);
  layout.width = fields.raw('width') === 'wide' ? 'wide' : 'default';
  layout.coverSize = fields.raw('coverSize') === 'full' ? 'full' : 'hero';
  return layout;
}
