import { invalid } from '../../../shared/errors/errors.js';
import { readTexts } from '../../content/contract.js';
import type { ChangeRequest } from '../../content/resources.js';
import { textsHtml } from '../comments/comment-bodies.js';
import type { ScreenRequest } from '../frame/screen.js';
import type { ChangePlace } from '../reading/places.js';

/** A description as people read it, and as they write it. */
export interface Description {
  html: string;
  markdown: string;
}

/** The description of a change request; undefined where it has none. */
export async function descriptionOf(request: ScreenRequest, place: ChangePlace): Promise<Description | undefined> {
  const { space, changeRequest } = place;
  if (!changeRequest.description) return undefined;
  const texts = [{ document: changeRequest.description }];
  const [read] = await request.call(readTexts, { organization: space.organization, texts });
  if (!read || 'refused' in read) return undefined;
  const [html = ''] = await textsHtml(request, place, [read.markdown]);
  return { html, markdown: read.markdown };
}

/** The description that somebody wrote, null for none. Throws 400 for a text that is not taken. */
export async function writtenDescription(
  { call }: Pick<ScreenRequest, 'call'>,
  { space: { organization } }: ChangePlace,
  written: string,
): Promise<NonNullable<ChangeRequest['description']> | null> {
  const markdown = written.replaceAll('\r\n', '\n').trim();
  if (markdown === '') return null;
  const [read] = await call(readTexts, { organization, texts: [{ markdown }] });
  if (!read || 'refused' in read) throw invalid(`description: ${read?.refused.replace(/^markdown: /, '')}`);
  return read.document;
}
