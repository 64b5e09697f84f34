import { identityContract } from '../../identity/contract.js';
import { integrationsContract } from '../../integrations/contract.js';
import type { Installation, Integration } from '../../integrations/resources.js';
import { Emblem, Empty, Heading, Pager, Row, Rows, Section, Time } from '../elements/elements.js';
import { type Route, type ScreenRequest, screen } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { contentOf, organizationNavigation } from './navigation.js';

const installed = screen({
  path: '/o/{organization}/integrations',
  async show(request) {
    const { call, to, words, path, query } = request;
    const { organization } = path;
    const page = query.get('page') ?? undefined;
    const [content, { items, next }] = await Promise.all([
      contentOf(request, organization),
      call(integrationsContract.listOrganizationInstallations, {
        path: { organizationId: organization },
        query: { limit: 100, ...(page === undefined ? {} : { page }) },
      }),
    ]);
    return {
      title: words.home.integrations,
      organization,
      sidebar: organizationNavigation(request, content, { organization, here: to.installations(organization) }),
      main: (
        <>
          <Heading title={words.home.integrations} />
          {items.length === 0 && <Empty>{words.catalogue.noIntegrations}</Empty>}
          <Rows label={words.home.integrations}>
            {items.map(({ installation, integration }) => (
              <Row
                href={to.installation(organization, integration.name, installation.id)}
                title={integration.title}
                lead={<Emblem fallback="plug" />}
                about={statusText(request, installation)}
              />
            ))}
          </Rows>
          <Pager
            next={next && `${to.installations(organization)}?page=${encodeURIComponent(next.page)}`}
            text={words.frame.more}
          />
        </>
      ),
    };
  },
});

const installation = screen({
  path: '/o/{organization}/integrations/{integration}/installations/{installation}',
  async show(request) {
    const { call, to, words, locale, path } = request;
    const { organization } = path;
    const at = { integrationName: path.integration };
    const [content, shown, integration] = await Promise.all([
      contentOf(request, organization),
      call(integrationsContract.getIntegrationInstallationById, {
        path: { ...at, installationId: path.installation },
      }),
      call(integrationsContract.getIntegrationByName, { path: at }),
    ]);
    const { catalogue } = words;
    const { space_selection, site_selection, spaces, createdAt } = shown;
    return {
      title: integration.title,
      organization,
      crumbs: [{ title: words.home.integrations, href: to.installations(organization) }],
      sidebar: organizationNavigation(request, content, { organization, here: to.installations(organization) }),
      main: (
        <>
          <Heading title={integration.title} lead={integration.description}>
            <a class="button" href={to.integration(integration.name)}>
              {words.frame.more}
            </a>
          </Heading>
          <dl class="facts">
            <dt>{catalogue.status}</dt>
            <dd>{statusText(request, shown)}</dd>
            <dt>{catalogue.spaces}</dt>
            <dd>{space_selection === 'all' ? catalogue.allSpaces : fill(catalogue.selectedSpaces, spaces)}</dd>
            <dt>{catalogue.sites}</dt>
            <dd>{site_selection === 'all' ? catalogue.allSites : catalogue.selectedSites}</dd>
          </dl>
          <p class="hint-text">
            {fill(catalogue.installedOn, '')} <Time iso={createdAt} locale={locale} short />
          </p>
        </>
      ),
    };
  },
});

const integration = screen({
  path: '/integrations/{integration}',
  async show(request) {
    const { call, words, path } = request;
    const at = { integrationName: path.integration };
    const [shown, installations, organizations] = await Promise.all([
      call(integrationsContract.getIntegrationByName, { path: at }),
      call(integrationsContract.listIntegrationInstallations, { path: at, query: { limit: 100 } }),
      call(identityContract.listOrganizationsForAuthenticatedUser, { path: {}, query: { limit: 1000 } }),
    ]);
    const titleOf = new Map(organizations.items.map(({ id, title }) => [id, title]));
    const { catalogue } = words;
    return {
      title: shown.title,
      main: (
        <>
          <Heading title={shown.title} lead={shown.description} />
          <p class="hint-text">{fill(catalogue.by, shown.owner.title)}</p>
          {shown.summary && <p class="prose-lines">{shown.summary}</p>}
          {scopes(request, shown)}
          <Section title={catalogue.installed} id="installed">
            {installations.items.length === 0 && <Empty>{catalogue.notInstalled}</Empty>}
            <Rows label={catalogue.installed}>
              {installations.items.map((each) => installationRow(request, shown, { ...each, titleOf }))}
            </Rows>
          </Section>
        </>
      ),
    };
  },
});

const scopes = ({ words: { catalogue } }: ScreenRequest, { scopes }: Integration) =>
  scopes.length > 0 && (
    <Section title={catalogue.scopes} id="scopes">
      <ul class="plain-list">
        {scopes.map((scope) => (
          <li>
            <code>{scope}</code>
          </li>
        ))}
      </ul>
    </Section>
  );

function installationRow(
  request: ScreenRequest,
  { name }: Integration,
  { titleOf, ...shown }: Installation & { titleOf: ReadonlyMap<string, string> },
) {
  const { organization } = shown.target;
  return (
    <Row
      href={request.to.installation(organization, name, shown.id)}
      title={titleOf.get(organization) ?? organization}
      lead={<Emblem fallback="plug" />}
      about={statusText(request, shown)}
    />
  );
}

const statusText = ({ words: { catalogue } }: Pick<ScreenRequest, 'words'>, { status }: Installation): string =>
  ({ active: catalogue.statusActive, pending: catalogue.statusPending, paused: catalogue.statusPaused })[status];

export const integrationScreens: readonly Route[] = [installed, installation, integration];
