import { dropDraft, type ListedDraft, listDrafts } from '../../content/contract.js';
import { Empty, Heading, Row, Rows, sign, Time } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import { type ScreenRequest, screen } from '../frame/screen.js';
import { organizationAround } from './around.js';

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
      const changeRequest = fields.optional('number');
      const place = { space: fields.text('space'), page: fields.text('page') };
      await call(dropDraft, { ...place, ...(changeRequest === undefined ? {} : { changeRequest }) });
      return { to: to.drafts(path.organization), done: 'deleted' };
    },
  },
});

function draftRow(
  { to, words, locale, formToken }: ScreenRequest,
  { space, changeRequest, page, title, path, updatedAt }: ListedDraft,
) {
  const { home, editing } = words;
  const named = title ?? home.pageGone;
  const where = changeRequest
    ? `${space.title} · #${changeRequest.number} ${changeRequest.subject}`.trim()
    : space.title;
  return (
    <Row
      {...(path === undefined ? {} : { href: to.edit(space.id, changeRequest?.number ?? null, path) })}
      title={named}
      lead={sign('pen')}
      about={
        <>
          {path === undefined && title !== undefined && `${home.pageGone} · `}
          {where} · <Time iso={updatedAt} locale={locale} />
        </>
      }
    >
      <Form token={formToken} action="discard">
        <input type="hidden" name="space" value={space.id} />
        {changeRequest && <input type="hidden" name="number" value={changeRequest.number} />}
        <input type="hidden" name="page" value={page} />
        <Button confirm={editing.discardQuestion} name={`${editing.discard}: ${named}`}>
          {editing.discard}
        </Button>
      </Form>
    </Row>
  );
}
