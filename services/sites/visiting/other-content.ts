import type { ContentCaller } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { findChangeRequest, findPage } from '../../content/contract.js';
import type { Located } from './locate.js';

/** Content other than the current, as the token of its visitor names it. */
export type OtherContent = Pick<ContentCaller, 'changeRequest' | 'revision'>;

interface Requested {
  call: Call;
  located: Located;
  visitor: Pick<ContentCaller, 'preview'>;
}

/** The content that a path, or the URL of a preview, requests instead of the current. Throws 404 outside previews, and for what the space does not have. */
export async function otherContentAt({ call, located, visitor }: Requested): Promise<OtherContent> {
  const { requested, placed } = located;
  const { space } = placed.siteSpace;
  const { preview } = visitor;
  if (!requested) return preview?.changeRequest ? { changeRequest: preview.changeRequest } : {};
  const { kind, id } = requested;
  if (!preview) throw nothingThere();
  if (kind === 'changes') {
    const found = await call(findChangeRequest, { space, changeRequest: id });
    if (!found) throw nothingThere();
    return { changeRequest: { space, id: found.id } };
  }
  if (!(await call(findPage, { space, revision: id, path: '' }))) throw nothingThere();
  return { revision: { space, id } };
}

const nothingThere = () => notFound('Published content');

/** The segments that request what a visitor reads of a space; none where it is requested without them. */
export function segmentsOfContent(
  { changeRequest, revision, preview }: OtherContent & Pick<ContentCaller, 'preview'>,
  space: string,
): string[] {
  if (changeRequest?.space === space)
    return changeRequest.id === preview?.changeRequest?.id ? [] : ['~', 'changes', changeRequest.id];
  return revision?.space === space ? ['~', 'revisions', revision.id] : [];
}

/** The revision that a visitor reads of a space; undefined for the current one. */
export async function revisionOf(
  { call, visitor }: { call: Call; visitor: OtherContent },
  space: string,
): Promise<string | undefined> {
  const { changeRequest, revision } = visitor;
  if (changeRequest?.space === space)
    return (await call(findChangeRequest, { space, changeRequest: changeRequest.id }))?.revision;
  return revision?.space === space ? revision.id : undefined;
}
