import { contentContract } from '../../content/contract.js';
import type { Space } from '../../content/resources.js';
import { identityContract } from '../../identity/contract.js';
import { Emblem, Empty, Heading, Menu, Row, Rows, Section, Time } from '../elements/elements.js';
import { Button, Field, Form, Select } from '../elements/forms.js';
import { type Route, type ScreenRequest, screen } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { contentOf, organizationNavigation } from './navigation.js';

/** Where people find what they may read: organizations, spaces, collections, the trash, and the search over all of it. */
export const organizationScreens = (): Route[] => [home, organization, collection, search];

const home = screen({
  path: '/',
  async show({ call, to, words }) {
    const { items } = await call(identityContract.listOrganizationsForAuthenticatedUser, {
      path: {},
      query: { limit: 1000 },
    });
    const [only] = items;
    if (only && items.length === 1) return { to: to.organization(only.id) };
    return {
      title: words.home.title,
      main: (
        <>
          <Heading title={words.home.title} />
          {items.length === 0 && <Empty>{words.home.noOrganizations}</Empty>}
          <Rows label={words.home.title}>
            {items.map(({ id, title }) => (
              <Row href={to.organization(id)} title={title} />
            ))}
          </Rows>
        </>
      ),
    };
  },
});

const spaceRow = ({ to, words, locale }: Pick<ScreenRequest, 'to' | 'words' | 'locale'>, space: Space) => (
  <Row
    href={to.space(space.id)}
    title={space.title}
    lead={<Emblem emoji={space.emoji} fallback="book" />}
    about={
      <>
        {fill(words.home.changedAt, '')} <Time iso={space.updatedAt} locale={locale} short />
      </>
    }
  />
);

const newestFirst = (a: Space, b: Space) => (a.updatedAt < b.updatedAt ? 1 : -1);

const organization = screen({
  path: '/o/{organization}',
  async show(request) {
    const { call, to, words, formToken, path, refused } = request;
    const id = path.organization;
    const [shown, content] = await Promise.all([
      call(identityContract.getOrganizationById, { path: { organizationId: id } }),
      contentOf(request, id),
    ]);
    const parents = [
      { value: '', text: words.home.topLevel },
      ...content.collections.map((each) => ({ value: each.id, text: each.title })),
    ];
    const create = (action: 'space' | 'collection', title: string) => (
      <Menu label={title}>
        <Form token={formToken} action={action}>
          <Field label={words.home.name} name="title" required maxLength={50} value={refused?.fields.text('title')} />
          <Select label={words.home.inCollection} name="parent" options={parents} />
          <Button kind="primary">{words.home.create}</Button>
        </Form>
      </Menu>
    );
    return {
      title: shown.title,
      organization: id,
      sidebar: organizationNavigation(request, content, { organization: id, here: to.organization(id) }),
      main: (
        <>
          <Heading title={shown.title}>
            {shown.permissions.createContent && create('space', words.home.newSpace)}
            {shown.permissions.createContent && create('collection', words.home.newCollection)}
          </Heading>
          {content.spaces.length === 0 && <Empty>{words.home.noSpaces}</Empty>}
          <Rows label={words.home.spaces}>
            {[...content.spaces].sort(newestFirst).map((space) => spaceRow(request, space))}
          </Rows>
        </>
      ),
    };
  },
  actions: {
    async space({ call, path, to }, fields) {
      const parent = fields.optional('parent');
      const body = { title: fields.text('title'), ...(parent === undefined ? {} : { parent }) };
      const made = await call(contentContract.createSpace, { path: { organizationId: path.organization }, body });
      return { to: to.space(made.id), done: 'created' };
    },
    async collection({ call, path, to }, fields) {
      const parent = fields.optional('parent');
      const body = { title: fields.text('title'), ...(parent === undefined ? {} : { parent }) };
      const made = await call(contentContract.createCollection, { path: { organizationId: path.organization }, body });
      return { to: to.collection(made.id), done: 'created' };
    },
  },
});

const collection = screen({
  path: '/c/{collection}',
  async show(request) {
    const { call, to, words, path } = request;
    const shown = await call(contentContract.getCollectionById, { path: { collectionId: path.collection } });
    const content = await contentOf(request, shown.organization);
    const inside = content.spaces.filter(({ parent }) => parent === shown.id);
    const nested = content.collections.filter(({ parent }) => parent === shown.id);
    return {
      title: shown.title,
      organization: shown.organization,
      sidebar: organizationNavigation(request, content, {
        organization: shown.organization,
        here: to.collection(shown.id),
      }),
      main: (
        <>
          <Heading title={shown.title} lead={shown.description} />
          {inside.length + nested.length === 0 && <Empty>{words.home.emptyCollection}</Empty>}
          <Rows label={shown.title}>
            {nested.map(({ id, title }) => (
              <Row href={to.collection(id)} title={title} lead={<Emblem fallback="folder" />} />
            ))}
            {inside.sort(newestFirst).map((space) => spaceRow(request, space))}
          </Rows>
        </>
      ),
    };
  },
});

const search = screen({
  path: '/o/{organization}/search',
  async show(request) {
    const { call, to, words, path, query } = request;
    const organizationId = path.organization;
    const wanted = (query.get('q') ?? '').trim().slice(0, 512);
    const [content, found] = await Promise.all([
      contentOf(request, organizationId),
      wanted === ''
        ? null
        : call(contentContract.searchOrganizationContent, {
            path: { organizationId },
            query: { query: wanted, limit: 50 },
          }),
    ]);
    return {
      title: words.home.searchTitle,
      organization: organizationId,
      sidebar: organizationNavigation(request, content, { organization: organizationId, here: '' }),
      main: (
        <>
          <Heading title={wanted === '' ? words.home.searchTitle : fill(words.home.results, wanted)} />
          <search>
            <form class="search-form large">
              <Field label={words.home.searchLabel} name="q" type="search" value={wanted} maxLength={512} autofocus />
            </form>
          </search>
          {found?.items.length === 0 && <Empty>{fill(words.home.noResults, wanted)}</Empty>}
          {found?.items.map((space) => (
            <Section title={space.title} id={`space-${space.id}`}>
              <Rows label={space.title}>
                {space.pages.map((page) => (
                  <Row
                    href={to.page(space.id, page.path)}
                    title={page.title}
                    about={page.sections?.[0]?.body || page.description}
                  />
                ))}
              </Rows>
            </Section>
          ))}
        </>
      ),
    };
  },
});
