import type { VNode } from 'preact';
import type { Page } from '../../content/resources.js';
import { Menu } from '../elements/elements.js';
import { Button, Check, Deletion, Field, Form, Select, TextArea } from '../elements/forms.js';
import { fieldsSentBy } from '../frame/refusals.js';
import type { ScreenRequest } from '../frame/screen.js';
import type { Place } from '../reading/places.js';
import { fill } from '../words/languages.js';
import { directions, type Entry, holdsPages } from './pages.js';

interface Shown {
  place: Place;
  entries: readonly Entry[];
  revision: string;
  base: string;
}

interface Chosen extends Shown {
  entry: Entry;
  /** As the source has it; undefined where its front matter cannot be read. */
  cover: string | undefined;
}

/** Says which page is meant, and which content was seen. */
const meant = (page: string, revision: string): VNode => (
  <>
    <input type="hidden" name="page" value={page} />
    <input type="hidden" name="revision" value={revision} />
  </>
);

/** Adds a page: at the end, or at the one that is chosen. */
export function addForm(
  { words: { tree }, formToken, refused }: ScreenRequest,
  { revision }: Shown,
  chosen: Entry | undefined,
): VNode {
  const sent = fieldsSentBy({ refused }, 'add');
  const places = [
    ...(chosen
      ? [
          ...(holdsPages(chosen.page)
            ? [{ value: `below:${chosen.page.id}`, text: fill(tree.belowPage, chosen.page.title) }]
            : []),
          { value: `after:${chosen.page.id}`, text: fill(tree.afterPage, chosen.page.title) },
        ]
      : []),
    { value: '', text: tree.atEnd },
  ];
  return (
    <Menu label={tree.newPage} open={sent !== undefined}>
      <Form token={formToken} action="add">
        <input type="hidden" name="revision" value={revision} />
        <Field
          label={tree.pageTitle}
          name="title"
          id="new-title"
          required
          maxLength={255}
          value={sent?.text('title')}
        />
        <Select label={tree.where} name="where" options={places} value={sent?.raw('where')} />
        <Button kind="primary">{tree.addPage}</Button>
      </Form>
    </Menu>
  );
}

/** The form that our script fills when a page is dragged, or moved by keys. */
export const panelForm = ({ formToken }: ScreenRequest, revision: string): VNode => (
  <Form token={formToken} action="move" class="move-form">
    {['page', 'how', 'target'].map((name) => (
      <input type="hidden" name={name} value="" />
    ))}
    <input type="hidden" name="stay" value="on" />
    <input type="hidden" name="revision" value={revision} />
  </Form>
);

/** The forms for the page that is chosen. */
export function pagePanel(request: ScreenRequest, chosen: Chosen): VNode {
  const { words, formToken, to } = request;
  const { entry, place, revision } = chosen;
  const { page } = entry;
  const { id, title, type, path = '' } = page;
  const { tree } = words;
  return (
    <aside class="tree-panel" aria-labelledby="panel-title">
      <h2 id="panel-title">{title}</h2>
      {type === 'document' && (
        <p class="button-line">
          <a class="button primary" href={to.edit(place.space.id, place.changeRequest?.number ?? null, path)}>
            {tree.editPage}
          </a>
        </p>
      )}
      {describeForm(request, chosen)}
      {page.layout && lookForm(request, chosen)}
      {moveForms(request, chosen)}
      <Deletion
        token={formToken}
        title={tree.delete}
        text={(page.pages ?? []).length > 0 ? tree.deleteText : undefined}
        confirm={fill(tree.deleteConfirm, title)}
      >
        {meant(id, revision)}
      </Deletion>
    </aside>
  );
}

function describeForm({ words, formToken, refused }: ScreenRequest, { entry: { page }, revision }: Chosen): VNode {
  const { tree, frame } = words;
  const sent = fieldsSentBy({ refused }, 'describe');
  const { id, title, description = '', slug, emoji = '', icon = '', type } = page;
  const isDocument = type === 'document';
  return (
    <details class="panel" open>
      <summary>{tree.describe}</summary>
      <Form token={formToken} action="describe">
        {meant(id, revision)}
        <Field label={tree.pageTitle} name="title" required maxLength={255} value={sent?.text('title') ?? title} />
        <TextArea
          label={tree.description}
          name="description"
          rows={2}
          maxLength={2000}
          value={sent?.text('description') ?? description}
        />
        {slug !== undefined && (
          <Field
            label={tree.slug}
            name="slug"
            maxLength={100}
            value={sent?.text('slug') ?? slug}
            hint={tree.slugHint}
          />
        )}
        <div class="field-row">
          <Field label={tree.emoji} name="emoji" maxLength={50} value={sent?.text('emoji') ?? emoji} />
          <Field label={tree.icon} name="icon" maxLength={50} value={sent?.text('icon') ?? icon} />
        </div>
        <Check label={tree.hidden} name="hidden" checked={sent ? sent.isOn('hidden') : (page.hidden ?? false)} />
        {isDocument && (
          <>
            <input type="hidden" name="indexing" value="on" />
            <Check
              label={tree.noIndex}
              name="noIndex"
              checked={sent ? sent.isOn('noIndex') : (page.noIndex ?? false)}
            />
            <Check
              label={tree.noRobotsIndex}
              name="noRobotsIndex"
              checked={sent ? sent.isOn('noRobotsIndex') : (page.noRobotsIndex ?? false)}
            />
          </>
        )}
        <Button kind="primary">{frame.save}</Button>
      </Form>
    </details>
  );
}

type Layout = NonNullable<Page['layout']>;

function lookForm({ words, formToken }: ScreenRequest, { entry: { page }, revision, cover }: Chosen): VNode {
  const { tree, frame } = words;
  if (cover === undefined) return <p class="hint-text">{tree.badFrontMatter}</p>;
  const layout = page.layout as Layout;
  const switches = [
    ['cover', tree.layoutCover],
    ['title', tree.layoutTitle],
    ['description', tree.layoutDescription],
    ['tableOfContents', tree.layoutTableOfContents],
    ['outline', tree.layoutOutline],
    ['pagination', tree.layoutPagination],
    ['metadata', tree.layoutMetadata],
  ] as const;
  return (
    <details class="panel">
      <summary>{tree.look}</summary>
      <Form token={formToken} action="look">
        {meant(page.id, revision)}
        <Field label={tree.cover} name="cover" maxLength={2000} value={cover} hint={tree.coverHint} />
        <div class="field-row">
          <Select
            label={tree.coverSize}
            name="coverSize"
            value={layout.coverSize}
            options={[
              { value: 'hero', text: tree.coverHero },
              { value: 'full', text: tree.coverFull },
            ]}
          />
          <Select
            label={tree.width}
            name="width"
            value={layout.width}
            options={[
              { value: 'default', text: tree.widthDefault },
              { value: 'wide', text: tree.widthWide },
            ]}
          />
        </div>
        <fieldset>
          <legend>{tree.shown}</legend>
          {switches.map(([name, label]) => (
            <Check label={label} name={`show-${name}`} checked={layout[name]} />
          ))}
        </fieldset>
        <Button kind="primary">{frame.save}</Button>
      </Form>
    </details>
  );
}

function moveForms({ words: { tree }, formToken }: ScreenRequest, { entry, entries, revision }: Chosen): VNode {
  const { id } = entry.page;
  const isInside = (each: Entry | undefined): boolean =>
    each !== undefined && (each.page.id === id || isInside(each.parent));
  const targets = entries.filter((each) => !isInside(each));
  return (
    <details class="panel">
      <summary>{tree.move}</summary>
      <div class="actions">
        {directions.map((direction) => (
          <Form token={formToken} action="move">
            {meant(id, revision)}
            <input type="hidden" name="how" value={direction} />
            <Button>{tree[direction]}</Button>
          </Form>
        ))}
      </div>
      <Form token={formToken} action="move" class="move-to">
        {meant(id, revision)}
        <Select
          label={tree.moveTo}
          name="target"
          options={[
            { value: '', text: tree.top },
            ...targets.map(({ page, depth }) => ({ value: page.id, text: `${'\u2003'.repeat(depth)}${page.title}` })),
          ]}
        />
        <Select
          label={tree.position}
          name="how"
          options={[
            { value: 'into', text: tree.moveInto },
            { value: 'before', text: tree.moveBefore },
            { value: 'after', text: tree.moveAfter },
          ]}
        />
        <Button>{tree.move}</Button>
      </Form>
    </details>
  );
}
