import { contentContract } from '../../content/contract.js';
import type { OpenAPISpec } from '../../content/resources.js';
import { Emblem, Empty, Heading, Notice, Pager, Row, Rows, Section, Time } from '../elements/elements.js';
import { Button, Form, Select } from '../elements/forms.js';
import { type Route, type ScreenRequest, screen } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { contentOf, organizationNavigation } from './navigation.js';

const list = screen({
  path: '/o/{organization}/openapi',
  async show(request) {
    const { call, to, words, path, query } = request;
    const { organization } = path;
    const page = query.get('page') ?? undefined;
    const [content, specs] = await Promise.all([
      contentOf(request, organization),
      call(contentContract.listOpenAPISpecs, {
        path: { organizationId: organization },
        query: { limit: 100, ...(page === undefined ? {} : { page }) },
      }),
    ]);
    return {
      title: words.home.specs,
      organization,
      sidebar: organizationNavigation(request, content, { organization, here: to.specs(organization) }),
      main: (
        <>
          <Heading title={words.home.specs} />
          {specs.items.length === 0 && <Empty>{words.catalogue.noSpecs}</Empty>}
          <Rows label={words.home.specs}>
            {specs.items.map((spec) => (
              <Row
                href={to.spec(organization, spec.slug)}
                title={spec.slug}
                lead={<Emblem fallback="code" />}
                about={words.catalogue[spec.processingState]}
              />
            ))}
          </Rows>
          <Pager
            next={specs.next && `${to.specs(organization)}?page=${encodeURIComponent(specs.next.page)}`}
            text={words.frame.more}
          />
        </>
      ),
    };
  },
});

const spec = screen({
  path: '/o/{organization}/openapi/{slug}',
  async show(request) {
    const { call, to, words, path } = request;
    const { organization } = path;
    const at = { organizationId: organization, specSlug: path.slug };
    const [content, shown, versions] = await Promise.all([
      contentOf(request, organization),
      call(contentContract.getOpenAPISpecBySlug, { path: at }),
      call(contentContract.listOpenAPISpecVersions, { path: at, query: { limit: 100 } }),
    ]);
    const { catalogue } = words;
    return {
      title: shown.slug,
      organization,
      crumbs: [{ title: words.home.specs, href: to.specs(organization) }],
      sidebar: organizationNavigation(request, content, { organization, here: to.specs(organization) }),
      main: (
        <>
          <Heading title={shown.slug} />
          {shown.lastProcessErrorMessage && (
            <Notice kind="warning">{fill(catalogue.specFailed, shown.lastProcessErrorMessage)}</Notice>
          )}
          {facts(request, shown)}
          <Section title={catalogue.versions} id="versions">
            {versions.items.length === 0 && <Empty>{catalogue.noVersions}</Empty>}
            <Rows label={catalogue.versions}>
              {versions.items.map(({ id, url, createdAt }) => (
                <Row
                  href={url}
                  title={
                    <>
                      {fill(catalogue.version, '')} <Time iso={createdAt} locale={request.locale} />
                    </>
                  }
                  about={id === shown.lastVersion ? catalogue.latest : undefined}
                />
              ))}
            </Rows>
          </Section>
        </>
      ),
    };
  },
  actions: {
    async visibility({ call, path, to }, fields) {
      await call(contentContract.updateOpenAPISpecBySlug, {
        path: { organizationId: path.organization, specSlug: path.slug },
        body: { visibility: fields.text('visibility') as OpenAPISpec['visibility'] },
      });
      return { to: to.spec(path.organization, path.slug), done: 'saved' };
    },
  },
});

function facts(
  { words, formToken }: ScreenRequest,
  { processingState, sourceURL, urls, visibility, permissions }: OpenAPISpec,
) {
  const { catalogue } = words;
  return (
    <>
      <dl class="facts">
        <dt>{catalogue.specState}</dt>
        <dd>{catalogue[processingState]}</dd>
        <dt>{catalogue.source}</dt>
        <dd>{sourceURL ?? catalogue.sourceText}</dd>
        <dt>{catalogue.visibility}</dt>
        <dd>{catalogue[visibility]}</dd>
        {urls.published && (
          <>
            <dt>{catalogue.published}</dt>
            <dd>
              <a href={urls.published}>{urls.published}</a>
            </dd>
          </>
        )}
      </dl>
      {permissions.edit && (
        <Form token={formToken} action="visibility" class="inline">
          <Select
            label={catalogue.visibility}
            name="visibility"
            value={visibility}
            options={(['private', 'public'] as const).map((value) => ({ value, text: catalogue[value] }))}
          />
          <Button>{words.frame.save}</Button>
        </Form>
      )}
    </>
  );
}

export const specScreens: readonly Route[] = [list, spec];
