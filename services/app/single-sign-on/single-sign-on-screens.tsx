import { identityContract } from '../../identity/contract.js';
import type { OidcProvider, SamlProvider } from '../../identity/resources.js';
import { Empty, Heading, Row, Rows, Section } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import { type Route, type ScreenRequest, screen, type View } from '../frame/screen.js';
import { contentOf, organizationNavigation } from '../organizations/navigation.js';
import { fill } from '../words/languages.js';
import { providerForm, settingsIn } from './provider-form.js';

/** Where admins set up the providers through which members of an organization sign in. */
export const singleSignOnSettingsScreens = (): Route[] => [providers, newProvider, provider];

/** Lists of an organization are far below. */
const all = { limit: 1000 };

const teamsOf = async ({ call }: ScreenRequest, organizationId: string) =>
  (await call(identityContract.listTeamsInOrganizationById, { path: { organizationId }, query: all })).items;

/** The frame of these screens. */
async function viewOf(
  request: ScreenRequest,
  organization: string,
  view: Pick<View, 'title' | 'main'> & { below?: boolean },
): Promise<View> {
  const { to, words } = request;
  const { below, ...shown } = view;
  return {
    ...shown,
    organization,
    ...(below ? { crumbs: [{ title: words.singleSignOn.title, href: to.singleSignOn(organization) }] } : {}),
    sidebar: organizationNavigation(request, await contentOf(request, organization), {
      organization,
      here: to.singleSignOn(organization),
    }),
  };
}

const providers = screen({
  path: '/o/{organization}/single-sign-on',
  async show(request) {
    const { call, path, words, to } = request;
    const organizationId = path.organization;
    const [organization, openId, saml] = await Promise.all([
      call(identityContract.getOrganizationById, { path: { organizationId } }),
      call(identityContract.listOrganizationOIDCProviders, { path: { organizationId }, query: all }),
      call(identityContract.listSAMLProvidersInOrganizationById, { path: { organizationId }, query: all }),
    ]);
    const texts = words.singleSignOn;
    return viewOf(request, organizationId, {
      title: texts.title,
      main: (
        <>
          <Heading title={texts.title} lead={texts.lead}>
            <a class="button primary" href={to.oidcProvider(organizationId, 'new')}>
              {texts.newProvider}
            </a>
          </Heading>
          {enforcement(request, organization.sso ?? false)}
          <Section title={texts.openIdProviders} id="openid">
            {openId.items.length === 0 && <Empty>{texts.noProviders}</Empty>}
            <Rows label={texts.openIdProviders}>
              {openId.items.map((each) => openIdRow(request, organizationId, each))}
            </Rows>
          </Section>
          <Section title={texts.samlProviders} id="saml">
            <p>
              <a href={`${to.root}/handbook/api/single-sign-on`}>{texts.samlText}</a>
            </p>
            <Rows label={texts.samlProviders}>{saml.items.map((each) => samlRow(request, each))}</Rows>
          </Section>
        </>
      ),
    });
  },
  actions: {
    async enforce({ call, path, to }, fields) {
      const body = { sso: fields.text('sso') === 'true' };
      await call(identityContract.updateOrganizationById, { path: { organizationId: path.organization }, body });
      return { to: to.singleSignOn(path.organization), done: 'saved' };
    },
  },
});

const enforcement = ({ words: { singleSignOn: texts }, formToken }: ScreenRequest, isEnforced: boolean) => (
  <Form token={formToken} action="enforce" class="panel">
    <p>{isEnforced ? texts.enforced : texts.notEnforced}</p>
    <input type="hidden" name="sso" value={String(!isEnforced)} />
    <Button confirm={isEnforced ? undefined : texts.enforceHint}>
      {isEnforced ? texts.stopEnforcing : texts.enforce}
    </Button>
  </Form>
);

const openIdRow = (
  { words: { singleSignOn: texts }, to }: ScreenRequest,
  organization: string,
  { id, label, issuer, active }: OidcProvider,
) => (
  <Row
    href={to.oidcProvider(organization, id)}
    title={label}
    about={`${issuer} · ${active ? texts.active : texts.inactive}`}
  />
);

const samlRow = ({ words: { singleSignOn: texts } }: ScreenRequest, { label, status, entityID }: SamlProvider) => (
  <Row
    title={label}
    about={[entityID, status === 'active' ? texts.active : texts.pending].filter((part) => part).join(' · ')}
  />
);

const newProvider = screen({
  path: '/o/{organization}/single-sign-on/new',
  async show(request) {
    const { organization } = request.path;
    const { singleSignOn: texts } = request.words;
    const teams = await teamsOf(request, organization);
    return viewOf(request, organization, {
      below: true,
      title: texts.newProvider,
      main: (
        <>
          <Heading title={texts.newProvider} />
          {providerForm(request, { teams })}
        </>
      ),
    });
  },
  actions: {
    async create({ call, path: { organization }, to }, fields) {
      const made = await call(identityContract.createOrganizationOIDCProvider, {
        path: { organizationId: organization },
        body: settingsIn(fields),
      });
      return { to: to.oidcProvider(organization, made.id), done: 'created' };
    },
  },
});

const provider = screen({
  path: '/o/{organization}/single-sign-on/{provider}',
  async show(request) {
    const { call, path, words, formToken } = request;
    const { organization } = path;
    const [shown, teams] = await Promise.all([
      call(identityContract.getOrganizationOIDCProvider, {
        path: { organizationId: organization, oidcProviderId: path.provider },
      }),
      teamsOf(request, organization),
    ]);
    const texts = words.singleSignOn;
    const title = fill(texts.providerTitle, shown.label);
    return viewOf(request, organization, {
      below: true,
      title,
      main: (
        <>
          <Heading title={title} />
          {addresses(request, shown)}
          <Section title={texts.settings} id="settings">
            {providerForm(request, { provider: shown, teams })}
          </Section>
          <Section title={texts.deletion} id="deletion">
            <Form token={formToken} action="delete">
              <Button kind="danger" confirm={texts.confirmDelete}>
                {texts.deleteProvider}
              </Button>
            </Form>
          </Section>
        </>
      ),
    });
  },
  actions: {
    async save({ call, path, to }, fields) {
      await call(identityContract.updateOrganizationOIDCProvider, {
        path: { organizationId: path.organization, oidcProviderId: path.provider },
        body: settingsIn(fields),
      });
      return { to: to.oidcProvider(path.organization, path.provider), done: 'saved' };
    },
    async delete({ call, path, to }) {
      await call(identityContract.deleteOrganizationOIDCProvider, {
        path: { organizationId: path.organization, oidcProviderId: path.provider },
      });
      return { to: to.singleSignOn(path.organization), done: 'deleted' };
    },
  },
});

/** The addresses of Bindery that the provider and its people need. */
const addresses = ({ words: { singleSignOn: texts } }: ScreenRequest, { service, active }: OidcProvider) => (
  <dl class="panel">
    <dt>{texts.callback}</dt>
    <dd>
      <code class="secret">{service.callbackURL}</code>
      <small class="hint-text">{texts.callbackHint}</small>
    </dd>
    <dt>{texts.startAddress}</dt>
    <dd>
      <code class="secret">{service.startURL}</code>
      {active && <a href={service.startURL}>{texts.tryIt}</a>}
    </dd>
  </dl>
);
