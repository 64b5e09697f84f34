import { z } from 'zod';
import { apiError, invalid } from '../../../shared/errors/errors.js';
import type { WebAnswer } from '../../../shared/http/web-answer.js';
import { safeParse } from '../../../shared/text/schema-messages.js';
import { timestamp } from '../../../shared/values/ids.js';
import {
  convertPastedHtml,
  decodeShownPage,
  keepDraft,
  type LinkSuggestion,
  mergeDraft,
  previewPage,
  savePage,
  suggestLinks,
} from '../../content/contract.js';
import { jsonAnswer } from '../frame/answers.js';
import { endpoint, type Route, type ScreenRequest } from '../frame/screen.js';
import { type Place, visitorOf } from '../reading/places.js';
import type { KeepAnswer } from '../sources/draft-keeper.js';
import type { SavedText } from '../sources/editor-setup.js';
import { editedPlace, insertFile, targetOf, type WrittenPath } from './edited-place.js';
import { previewHtml } from './preview.js';

/** Bytes of a file that is uploaded: as many as a change of content takes in a request. */
export const maxUpload = 10_000_000;

type Asked = ScreenRequest & { path: WrittenPath };

/** Answers what the script of the editor asks. */
type Answering = (request: Asked, body: Buffer) => Promise<WebAnswer>;

const revision = z.string().min(1).max(100);
const markdown = z.string();

/** Reads the JSON that the script sent. Throws 400 for anything else. */
function readBody<S extends z.ZodType>(schema: S, body: Buffer): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    throw invalid('the body: must be JSON');
  }
  const read = safeParse(schema, value);
  if (!read.success) throw invalid(read.error.message);
  return read.data;
}

const pageOf = ({ query }: Asked): string => query.get('page') ?? '';

const keep: Answering = async (request, body) => {
  const asked = readBody(z.object({ markdown, revision, version: revision.optional() }), body);
  const kept = await request.call(keepDraft, { ...targetOf(request.path), page: pageOf(request), ...asked });
  const answer: KeepAnswer =
    'conflict' in kept ? { kind: 'conflict', version: kept.conflict.version } : { kind: 'kept', ...kept };
  return jsonAnswer(answer);
};

const save: Answering = async (request, body) => {
  const asked = readBody(z.object({ markdown, revision, version: revision.optional() }), body);
  const saved = await request.call(savePage, { ...targetOf(request.path), page: pageOf(request), ...asked });
  const answer: SavedText = {
    revision: saved.revision,
    savedAt: timestamp(),
    ...(saved.source === asked.markdown ? {} : { markdown: saved.source }),
  };
  return jsonAnswer(answer);
};

const merge: Answering = async (request, body) => {
  const schema = z.object({ markdown, revision, against: z.enum(['content', 'draft']) });
  const { against, ...asked } = readBody(schema, body);
  const other = against === 'draft' ? { against } : {};
  return jsonAnswer(
    await request.call(mergeDraft, { ...targetOf(request.path), page: pageOf(request), ...asked, ...other }),
  );
};

const preview: Answering = async (request, body) => {
  const asked = readBody(z.object({ markdown }), body);
  const place = await editedPlace(request, request.path);
  const about = { visitor: visitorOf(place), page: pageOf(request), ...asked };
  const shown = decodeShownPage(await request.call(previewPage, about));
  return {
    status: 200,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'private, no-store' },
    body: shown ? await previewHtml(request, place, shown) : '',
    kind: 'endpoint',
  };
};

const links: Answering = async (request) => {
  const query = request.query.get('q') ?? '';
  const found = await request.call(suggestLinks, { ...targetOf(request.path), query });
  return jsonAnswer({ items: found.map(linkEntry) });
};

const escaped = (text: string): string => text.replace(/[[\]\\]/g, '\\$&').replace(/\s+/g, ' ');

function linkEntry(found: LinkSuggestion) {
  if (found.kind === 'page')
    return { title: found.title, about: `/${found.path}`, insert: `[${escaped(found.title)}](/pages/${found.id})` };
  return { title: found.name, insert: fileText(found.id, found) };
}

/** How a page shows a file: an image itself, a link to another one. */
const fileText = (id: string, { name, isImage }: { name: string; isImage: boolean }): string =>
  isImage ? `![${altOf(name)}](/files/${id})` : `[${escaped(name)}](/files/${id})`;

/** A text in place of an image: its name says something, unless it comes out of the clipboard. */
const altOf = (name: string): string =>
  /^(?:image|file|blob|screenshot)\b/i.test(name) ? '' : escaped(name.replace(/\.\w{1,5}$/, ''));

const mediaType = /^[\w.+-]{1,120}\/[\w.+-]{1,120}$/;

const upload: Answering = async (request, bytes) => {
  if (bytes.length > maxUpload) throw apiError('TOO_LARGE', `A file has at most ${maxUpload / 1e6} MB`);
  const name =
    (request.query.get('name') ?? '')
      .replace(/[\p{Cc}\p{Cs}/\\]/gu, ' ')
      .trim()
      .slice(0, 256) || 'file';
  const given = request.contentType.split(';', 1)[0]?.trim() ?? '';
  const contentType = mediaType.test(given) ? given : 'application/octet-stream';
  const id = await insertFile(request, request.path, { name, contentType, bytes });
  const isImage = contentType.startsWith('image/');
  const insert = isImage ? fileText(id, { name, isImage }) : `{% file src="/files/${id}" %}`;
  return jsonAnswer({ insert, isBlock: !isImage });
};

const paste: Answering = async (request, body) => {
  const { html } = readBody(z.object({ html: z.string() }), body);
  const { space } = await editedPlace(request, request.path);
  return jsonAnswer(await request.call(convertPastedHtml, { organization: space.organization, html }));
};

const answers = { draft: keep, save, merge, preview, links, files: upload, paste };
type EndpointName = keyof typeof answers;

/** Says who is signed in by now, with the token of their forms. */
const sessionEndpoint = (): Route =>
  endpoint({
    path: '/~/session',
    method: 'GET',
    answer: async ({ session, formToken }) => jsonAnswer({ user: session.user.id, token: formToken }),
  });

/** The addresses that the script of the editor asks, for a change request and for a live space. */
export const editorEndpoints = (): Route[] => [
  sessionEndpoint(),
  ...Object.entries(answers).flatMap(([name, answer]) =>
    ['/s/{space}/~/editor', '/s/{space}/~/changes/{number}/~/editor'].map((below) =>
      endpoint({
        path: `${below}/${name}`,
        method: name === 'links' ? 'GET' : 'POST',
        answer: (request, body) => answer(request as unknown as Asked, body),
      }),
    ),
  ),
];

/** Their addresses for a page. */
export function endpointUrls(
  { to }: Pick<ScreenRequest, 'to'>,
  { space, changeRequest }: Place,
  page: string,
): Record<EndpointName, string> {
  const below = changeRequest ? to.changeRequest(space.id, changeRequest.number) : to.space(space.id);
  const names = Object.keys(answers) as EndpointName[];
  const urlOf = (name: EndpointName) => `${below}/~/editor/${name}?page=${encodeURIComponent(page)}`;
  return Object.fromEntries(names.map((name) => [name, urlOf(name)])) as Record<EndpointName, string>;
}
