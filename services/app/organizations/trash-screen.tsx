import { contentContract, type DeletedSpace, listDeletedSpaces } from '../../content/contract.js';
import { Emblem, Empty, Heading, Row, Rows, Time } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import { type ScreenRequest, screen } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { contentOf, organizationNavigation } from './navigation.js';

const dayMs = 86_400_000;

/** The deleted spaces of an organization that a person may restore. */
export const trash = screen({
  path: '/o/{organization}/trash',
  async show(request) {
    const { call, to, words, path } = request;
    const { organization } = path;
    const [content, deleted] = await Promise.all([
      contentOf(request, organization),
      call(listDeletedSpaces, { organization }),
    ]);
    return {
      title: words.home.trash,
      organization,
      sidebar: organizationNavigation(request, content, { organization, here: to.trash(organization) }),
      main: (
        <>
          <Heading title={words.home.trash} lead={words.home.trashText} />
          {deleted.length === 0 && <Empty>{words.home.emptyTrash}</Empty>}
          <Rows label={words.home.trash}>{deleted.map((space) => deletedRow(request, space))}</Rows>
        </>
      ),
    };
  },
  actions: {
    async restore({ call, to }, fields) {
      const spaceId = fields.text('space');
      await call(contentContract.restoreSpace, { path: { spaceId } });
      return { to: to.space(spaceId), done: 'restored' };
    },
  },
});

function deletedRow(
  { words: { home }, locale, formToken }: ScreenRequest,
  { id, title, emoji, deletedAt, purgedAt }: DeletedSpace,
) {
  const days = Math.max(0, Math.ceil((Date.parse(purgedAt) - Date.now()) / dayMs));
  return (
    <Row
      title={title}
      lead={<Emblem emoji={emoji} fallback="book" />}
      about={
        <>
          {fill(home.deletedAt, '')} <Time iso={deletedAt} locale={locale} /> · {fill(home.daysLeft, days)}
        </>
      }
    >
      <Form token={formToken} action="restore">
        <input type="hidden" name="space" value={id} />
        <Button>{home.restore}</Button>
      </Form>
    </Row>
  );
}
