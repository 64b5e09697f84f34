import { invalid } from '../../../shared/errors/errors.js';
import { contentContract } from '../../content/contract.js';
import { commentActions } from '../comments/comment-actions.js';
import { commentCalls } from '../comments/comment-calls.js';
import type { FormFields } from '../frame/form-fields.js';
import { here } from '../frame/here.js';
import type { Onward, ScreenRequest } from '../frame/screen.js';
import { changePlace, numberedPlace } from '../reading/places.js';
import { writtenDescription } from './description.js';

type OfChange = ScreenRequest<'/s/{space}/~/changes/{number}'>;
type ChangeAction = (request: OfChange, fields: FormFields) => Promise<Onward>;

const pathOf = ({ path }: OfChange) => ({ spaceId: path.space, changeRequestId: path.number });
const overviewOf = ({ path, to }: OfChange): string => to.changeRequest(path.space, path.number);

/** The actions of the overview of a change request, with those on its comments. */
export const overviewActions: Record<string, ChangeAction> = {
  ...commentActions(numberedPlace),

  async rename(request, fields) {
    const place = await changePlace(request, request.path.space, request.path.number);
    const description = await writtenDescription(request, place, fields.raw('description'));
    const body = { subject: fields.text('subject'), description };
    await request.call(contentContract.updateChangeRequestById, { path: pathOf(request), body });
    return { to: overviewOf(request), done: 'saved' };
  },

  open: (request) => setStatus(request, 'open'),
  draft: (request) => setStatus(request, 'draft'),
  archive: (request) => setStatus(request, 'archived'),

  async merge(request) {
    const { result } = await request.call(contentContract.mergeChangeRequest, { path: pathOf(request) });
    if (result === 'conflicts') return { to: conflictsOf(request) };
    return { to: overviewOf(request), done: 'merged' };
  },

  async update(request) {
    const { call } = request;
    const path = pathOf(request);
    const before = await call(contentContract.getChangeRequestById, { path });
    const { result, revision } = await call(contentContract.updateChangeRequest, { path, body: {} });
    if (result === 'conflicts') return { to: conflictsOf(request) };
    return { to: overviewOf(request), done: revision === before.revision ? 'upToDate' : 'updated' };
  },

  async 'request-review'(request, fields) {
    const body = { users: fields.all('reviewer').filter((id) => id !== '') };
    await request.call(contentContract.requestReviewersForChangeRequest, { path: pathOf(request), body });
    return { to: `${overviewOf(request)}#reviewers`, done: 'reviewRequested' };
  },

  async withdraw(request, fields) {
    const path = { ...pathOf(request), userId: fields.text('reviewer') };
    await request.call(contentContract.removeRequestedReviewerFromChangeRequest, { path });
    return { to: `${overviewOf(request)}#reviewers`, done: 'withdrawn' };
  },

  async review(request, fields) {
    const markdown = fields.raw('review-comment').replaceAll('\r\n', '\n').trim();
    const verdict = fields.text('verdict');
    if (verdict === 'comment') {
      await commentCalls(request, await numberedPlace(request)).post({ body: { markdown } });
      return { to: `${here(request)}#discussion`, done: 'commented' };
    }
    if (verdict !== 'approved' && verdict !== 'changes-requested') throw invalid(request.words.changes.chooseVerdict);
    const body = { status: verdict, ...(markdown === '' ? {} : { comment: { markdown } }) } as const;
    await request.call(contentContract.submitChangeRequestReview, { path: pathOf(request), body });
    return { to: `${overviewOf(request)}#reviewers`, done: 'reviewed' };
  },
};

const conflictsOf = ({ path, to }: OfChange): string => to.conflicts(path.space, path.number);

async function setStatus(request: OfChange, status: 'draft' | 'open' | 'archived'): Promise<Onward> {
  const { changeRequest: before } = await changePlace(request, request.path.space, request.path.number);
  await request.call(contentContract.updateChangeRequestById, { path: pathOf(request), body: { status } });
  const done = status === 'archived' ? 'archived' : before.status === 'archived' ? 'reopened' : 'saved';
  return { to: overviewOf(request), done };
}
