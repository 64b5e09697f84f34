import { notFound } from '../../../shared/errors/errors.js';
import { dropDraft, type ListedDraft, listDrafts, readDraft } from '../../content/contract.js';
import { Empty, Heading, Row, Rows, sign, Time } from '../elements/elements.js';
import { Button, Form, TextArea } from '../elements/forms.js';
import { type ScreenRequest, screen } from '../frame/screen.js';
import { organizationAround } from './around.js';

type DraftsRequest = ScreenRequest<'/o/{organization}/drafts'>;

/** What a person has written in an organization and not saved. */
export const drafts = screen({
  path: '/o/{organization}/drafts',
  async show(request) {
    const { call, to, words, path } = request;
    const { organization } = path;
    const [around, listed] = await Promise.all([
      organizationAround(request, organization, to.drafts(organization)),
      call(listDrafts, { organization }),
    ]);
    return {
      ...around,
      title: words.home.drafts,
      main: (
        <>
          <Heading title={words.home.drafts} lead={words.home.draftsText} />
          {listed.length === 0 && <Empty>{words.home.noDrafts}</Empty>}
          <Rows label={words.home.drafts}>{listed.map((draft) => draftRow(request, draft))}</Rows>
        </>
      ),
    };
  },
  actions: {
    async discard({ call, to, path }, fields) {
      const named = { space: fields.text('space'), number: fields.optional('number'), page: fields.text('page') };
      await call(dropDraft, placeOf(named));
      return { to: to.drafts(path.organization), done: 'deleted' };
    },
  },
});

/** The text of a draft whose page is gone: its writer copies it from here, as there is no editor for it. */
export const lostDraft = screen({
  path: '/o/{organization}/drafts/{space}/{page}',
  async show(request) {
    const { call, to, words, path, query } = request;
    const { organization, space, page } = path;
    const number = query.get('number') ?? undefined;
    const [around, listed] = await Promise.all([
      organizationAround(request, organization, to.drafts(organization)),
      call(listDrafts, { organization }),
    ]);
    const found = listed.find((each) => isOf(each, { space, number, page }));
    if (!found) throw notFound('Draft');
    if (found.path !== undefined) return { to: to.edit(space, found.changeRequest?.number ?? null, found.path) };
    const draft = await call(readDraft, placeOf({ space, number, page }));
    if (!draft) throw notFound('Draft');
    const title = found.title ?? words.home.pageGone;
    return {
      ...around,
      title,
      crumbs: [{ title: words.home.drafts, href: to.drafts(organization) }],
      main: (
        <>
          <Heading title={title} lead={aboutDraft(request, found)} />
          <TextArea label={words.home.lostText} name="text" rows={24} readOnly value={draft.markdown} />
          {discardForm(request, found)}
        </>
      ),
    };
  },
});

/** A draft as the address and the form name it. */
interface NamedDraft {
  space: string;
  /** The number of its change request. */
  number: string | undefined;
  page: string;
}

const isOf = ({ space, changeRequest, page }: ListedDraft, named: NamedDraft): boolean =>
  space.id === named.space && page === named.page && changeRequest?.number.toString() === named.number;

const placeOf = ({ space, number, page }: NamedDraft) => ({
  space,
  page,
  ...(number === undefined ? {} : { changeRequest: number }),
});

function draftRow(request: DraftsRequest, draft: ListedDraft) {
  const { to, words, path: asked } = request;
  const { space, changeRequest, page, title, path } = draft;
  const number = changeRequest?.number ?? null;
  return (
    <Row
      href={
        path === undefined ? to.lostDraft(asked.organization, space.id, number, page) : to.edit(space.id, number, path)
      }
      title={title ?? words.home.pageGone}
      lead={sign('pen')}
      about={aboutDraft(request, draft)}
    >
      {discardForm(request, draft)}
    </Row>
  );
}

/** Says where a draft belongs, and of when it is. */
function aboutDraft({ words, locale }: DraftsRequest, { space, changeRequest, title, path, updatedAt }: ListedDraft) {
  const where = changeRequest
    ? `${space.title} · #${changeRequest.number} ${changeRequest.subject}`.trim()
    : space.title;
  return (
    <>
      {path === undefined && title !== undefined && `${words.home.pageGone} · `}
      {where} · <Time iso={updatedAt} locale={locale} />
    </>
  );
}

function discardForm(
  { to, words, formToken, path: { organization } }: DraftsRequest,
  { space, changeRequest, page, title }: ListedDraft,
) {
  const { home, editing } = words;
  return (
    <Form token={formToken} to={to.drafts(organization)} action="discard">
      <input type="hidden" name="space" value={space.id} />
      {changeRequest && <input type="hidden" name="number" value={changeRequest.number} />}
      <input type="hidden" name="page" value={page} />
      <Button confirm={editing.discardQuestion} name={`${editing.discard}: ${title ?? home.pageGone}`}>
        {editing.discard}
      </Button>
    </Form>
  );
}
