import { contentContract } from '../../content/contract.js';
import { Emblem, Empty, Heading, Pager, Row, Rows, Section } from '../elements/elements.js';
import { Field } from '../elements/forms.js';
import { screen } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { contentOf, type OrganizationContent, organizationNavigation } from './navigation.js';

/** Spaces of one answer. */
const atOnce = 20;
const maxTitles = 20;

/** The search over the pages that a person may read, and over the titles of spaces and collections. */
export const search = screen({
  path: '/o/{organization}/search',
  async show(request) {
    const { call, to, words, path, query } = request;
    const { organization } = path;
    const wanted = (query.get('q') ?? '').trim().slice(0, 512);
    const page = query.get('page') ?? undefined;
    const [content, found] = await Promise.all([
      contentOf(request, organization),
      wanted === ''
        ? { items: [] }
        : call(contentContract.searchOrganizationContent, {
            path: { organizationId: organization },
            query: { query: wanted, limit: atOnce, ...(page === undefined ? {} : { page }) },
          }),
    ]);
    const titled = wanted === '' || page !== undefined ? [] : titledRows(request, content, wanted);
    const next = 'next' in found ? found.next?.page : undefined;
    const isEmpty = wanted !== '' && found.items.length + titled.length === 0;
    return {
      title: wanted === '' ? words.home.searchTitle : fill(words.home.results, wanted),
      organization,
      sidebar: organizationNavigation(request, content, { organization, here: '' }),
      main: (
        <>
          <Heading title={wanted === '' ? words.home.searchTitle : fill(words.home.results, wanted)} />
          <search>
            <form class="search-form large">
              <Field label={words.home.searchLabel} name="q" type="search" value={wanted} maxLength={512} autofocus />
            </form>
          </search>
          {isEmpty && <Empty>{fill(words.home.noResults, wanted)}</Empty>}
          {titled.length > 0 && (
            <Section title={words.home.titlesFound} id="titles">
              <Rows label={words.home.titlesFound}>{titled}</Rows>
            </Section>
          )}
          {found.items.map((space) => (
            <Section title={space.title} id={`space-${space.id}`}>
              <Rows label={space.title}>
                {space.pages.map((each) => (
                  <Row
                    href={to.page(space.id, each.path)}
                    title={each.title}
                    about={each.sections?.[0]?.body || each.description}
                  />
                ))}
              </Rows>
            </Section>
          ))}
          <Pager
            next={
              next === undefined
                ? undefined
                : `${to.search(organization)}?${new URLSearchParams({ q: wanted, page: next })}`
            }
            text={words.home.furtherResults}
          />
        </>
      ),
    };
  },
});

/** Rows of the spaces and collections whose title holds the words, in any case. */
function titledRows(
  { to, locale }: { to: { space: (id: string) => string; collection: (id: string) => string }; locale: string },
  { spaces, collections }: OrganizationContent,
  wanted: string,
) {
  const fold = (text: string) => text.normalize('NFKC').toLocaleLowerCase(locale);
  const words = fold(wanted).split(/\s+/);
  const holdsAll = ({ title }: { title: string }) => words.every((word) => fold(title).includes(word));
  return [
    ...collections
      .filter(holdsAll)
      .map(({ id, title }) => <Row href={to.collection(id)} title={title} lead={<Emblem fallback="folder" />} />),
    ...spaces
      .filter(holdsAll)
      .map(({ id, title, emoji }) => (
        <Row href={to.space(id)} title={title} lead={<Emblem emoji={emoji} fallback="book" />} />
      )),
  ].slice(0, maxTitles);
}
