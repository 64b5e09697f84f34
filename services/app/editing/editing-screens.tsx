import { randomBytes } from 'node:crypto';
import { failureOf, forbidden, invalid } from '../../../shared/errors/errors.js';
import {
  dropDraft,
  type MergedDraft,
  mergeDraft,
  type PageSource,
  readDraft,
  readSource,
  savePage,
} from '../../content/contract.js';
import { Notice, sign } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import { type Onward, type Route, type ScreenRequest, screen, type View } from '../frame/screen.js';
import { crumbsOf } from '../reading/around.js';
import { textLanguage } from '../reading/page-body.js';
import { isWritable, type Place, pageAddress } from '../reading/places.js';
import type { EditorSetup } from '../sources/editor-setup.js';
import { type ShapedText, shapeOf } from '../sources/source-text.js';
import { fill } from '../words/languages.js';
import { blocksOf } from './blocks.js';
import { editedPlace, refusalWords, targetOf, type WrittenPath } from './edited-place.js';
import { editorEndpoints, endpointUrls, maxUpload } from './editor-endpoints.js';
import { maxSent, restoreLines } from './restored-lines.js';

type Asked = ScreenRequest & { path: WrittenPath & { page?: string } };

/** Writing a page: in a change request, or in a live space. */
export const editingScreens = (): Route[] => [
  ...['/s/{space}/~/edit', '/s/{space}/~/changes/{number}/~/edit'].flatMap((path) =>
    [path, `${path}/{page...}`].map((each) =>
      screen({
        path: each,
        show: (request) => editorView(request as unknown as Asked),
        actions: {
          save: (request, fields) => saveForm(request as unknown as Asked, fields),
          discard: (request) => discard(request as unknown as Asked),
        },
      }),
    ),
  ),
  ...editorEndpoints(),
];

/** The text that a writer goes on with: the draft, where there is one. */
interface Begun {
  page: PageSource;
  text: string;
  /** The content that the text began with. */
  revision: string;
  /** The version of the draft that the writer goes on with. */
  draft?: string;
}

async function begin(request: Asked): Promise<Begun> {
  const { call, path } = request;
  const page = await call(readSource, { ...targetOf(path), path: path.page ?? '' });
  const draft = await call(readDraft, { ...targetOf(path), page: page.page });
  if (!draft) return { page, text: page.source, revision: page.revision };
  const { markdown: text, version } = draft;
  return { page, text, revision: text === page.source ? page.revision : draft.revision, draft: version };
}

async function editorView(request: Asked): Promise<View> {
  const { words, refused } = request;
  const [place, found] = await Promise.all([editedPlace(request, request.path), begin(request)]);
  // A text that is not saved is not hidden from its writer.
  const mayCopy = refused !== undefined || found.text !== found.page.source;
  if (!isWritable(place) && !mayCopy) throw forbidden(refusalWords(words, place));
  const merged = refused?.reason === 'revision_outdated' ? await mergeForm(request, found, refused.fields) : undefined;
  const sent = refused?.fields.isOn('markdown') ? asSent(found, refused.fields) : found;
  const begun = merged ? { ...sent, text: merged.merged, revision: merged.revision } : sent;
  return {
    title: fill(words.editing.edit, begun.page.title),
    organization: place.space.organization,
    crumbs: crumbsOf(request, place),
    wide: true,
    scripts: ['editor'],
    styleNonce: randomBytes(16).toString('base64url'),
    main: editorForm(request, place, begun, merged),
  };
}

/** The form as it was sent. It still began with what its writer saw, whatever others saved since. */
function asSent({ page, text: shown }: Begun, fields: FormFields): Begun {
  const [sent, revision, draft] = [fields.raw('markdown'), fields.raw('revision'), fields.optional('draft')];
  const text = sent.length > maxSent ? sent : restoreLines(shown, sent);
  return { page, text, revision, ...(draft === undefined ? {} : { draft }) };
}

/** The source that a form was sent for, in place of the text that it showed. Throws 400 for one that no page could have. */
function sentSource(shown: string, fields: FormFields): string {
  const sent = fields.raw('markdown');
  if (sent.length > maxSent) throw invalid(`markdown: at most ${(maxSent / 2).toLocaleString('en')} characters`);
  return restoreLines(shown, sent);
}

function setupOf(
  request: Asked,
  place: Place,
  { page, revision, draft, shape }: Begun & Pick<ShapedText, 'shape'>,
): EditorSetup {
  const { words } = request;
  return {
    revision,
    ...(draft === undefined ? {} : { draft }),
    shape,
    urls: endpointUrls(request, place, page.page),
    maxFile: maxUpload,
    blocks: blocksOf(words),
    words: words.editor,
    phrases: words.editorPhrases,
  };
}

function editorForm(request: Asked, place: Place, begun: Begun, merged: MergedDraft | undefined) {
  const { words, formToken } = request;
  const { editing } = words;
  const { page, text, revision, draft } = begun;
  const isDraft = draft !== undefined && text !== page.source;
  const shaped = text.length > maxSent ? { text, shape: { lineEnd: '\n', odd: [], nulls: [] } } : shapeOf(text);
  const setup = setupOf(request, place, { ...begun, shape: shaped.shape });
  return (
    <Form token={formToken} files class="editor" data={{ 'data-editor': JSON.stringify(setup) }}>
      <input type="hidden" name="revision" value={revision} />
      {draft !== undefined && <input type="hidden" name="draft" value={draft} />}
      <header class="editor-head">
        <h1>{page.title}</h1>
        <p class="hint-text" data-editor-status />
        <div class="actions">
          <button
            type="button"
            class="button"
            aria-controls="editor-preview"
            aria-pressed="false"
            data-editor-preview-switch
            hidden
          >
            {sign('eye')} {editing.preview}
          </button>
          <a class="button" href={pageAddress(request, place, page.path)}>
            {editing.close}
          </a>
          {/* Enter in a field presses the first button. */}
          <Button action="save" kind="primary">
            {editing.save}
          </Button>
          <Button action="discard" confirm={editing.discardQuestion}>
            {editing.discard}
          </Button>
        </div>
      </header>
      <div class="notice warning" role="alert" data-editor-trouble hidden />
      {!isWritable(place) && <Notice kind="warning">{refusalWords(words, place)}</Notice>}
      {isDraft && (
        <div data-editor-begun>
          <Notice>{editing.draftShown}</Notice>
        </div>
      )}
      {merged && conflictNotice(request, merged)}
      <details class="panel" data-editor-settings hidden>
        <summary>{editing.settings}</summary>
      </details>
      <div class="editor-panes">
        <div class="editor-pane">
          {toolbar(request)}
          <label class="visually-hidden" for="editor-box">
            {editing.label}
          </label>
          <textarea id="editor-box" name="markdown" rows={24} aria-describedby="editor-help" {...textLanguage(place)}>
            {/* The first line end is not part of a text box. */ `\n${shaped.text}`}
          </textarea>
          <div data-editor-text />
          <p id="editor-help" class="hint-text" data-editor-help>
            {editing.help}
          </p>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
        <section id="editor-preview" aria-label={editing.preview} data-editor-preview hidden tabIndex={0} />
      </div>
    </Form>
  );
}

const tools = [
  ['block', 'plus', 'toolBlock'],
  ['heading', 'heading', 'toolHeading'],
  ['bold', 'bold', 'toolBold'],
  ['italic', 'italic', 'toolItalic'],
  ['link', 'link', 'toolLink'],
  ['list', 'list-ul', 'toolList'],
  ['image', 'image', 'toolImage'],
] as const;

const toolbar = ({ words: { editing } }: Asked) => (
  <div class="editor-tools" role="toolbar" aria-label={editing.tools} data-editor-tools hidden>
    {tools.map(([tool, icon, word]) => (
      <button type="button" class="button plain" data-tool={tool} aria-label={editing[word]} title={editing[word]}>
        {sign(icon)}
      </button>
    ))}
  </div>
);

/** Shows somebody without a script the places where others changed the same. */
const conflictNotice = ({ words: { editing } }: Asked, { conflicts }: MergedDraft) => (
  <Notice kind="warning">
    <p>{editing.theirsNow}</p>
    {conflicts.map(({ theirs }) => (
      <pre>{theirs}</pre>
    ))}
  </Notice>
);

/** Saves the form; of drafts, the one goes that it showed. Where others changed other places of the page, their changes are taken in. */
async function saveForm(request: Asked, fields: FormFields): Promise<Onward> {
  const { call, path } = request;
  const place = await editedPlace(request, path);
  const { page, text } = await begin(request);
  const about = { ...targetOf(path), page: page.page, version: fields.optional('draft') };
  const save = (markdown: string, revision: string) => call(savePage, { ...about, markdown, revision });
  await save(sentSource(text, fields), fields.raw('revision')).catch(async (error) => {
    if (failureOf(error).reason !== 'revision_outdated') throw error;
    const { merged, conflicts, revision } = await mergeForm(request, { page, text }, fields);
    if (conflicts.length > 0) throw error;
    await save(merged, revision);
  });
  return { to: pageAddress(request, place, page.path), done: 'saved' };
}

function mergeForm(
  { call, path }: Asked,
  { page, text }: Pick<Begun, 'page' | 'text'>,
  fields: FormFields,
): Promise<MergedDraft> {
  const markdown = sentSource(text, fields);
  return call(mergeDraft, { ...targetOf(path), page: page.page, markdown, revision: fields.raw('revision') });
}

async function discard(request: Asked): Promise<Onward> {
  const { call, path, url } = request;
  const page = await call(readSource, { ...targetOf(path), path: path.page ?? '' });
  await call(dropDraft, { ...targetOf(path), page: page.page });
  return { to: url };
}
