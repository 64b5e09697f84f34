import { inflateRawSync } from 'node:zlib';
import { IdentityProvider as SamlifyProvider, SamlLib, ServiceProvider, setSchemaValidator } from 'samlify';
import { type Certified, selfSigned } from './certificate.ts';
import { newOrganization, shared, unique, walk } from './fixtures.ts';
import type { Client } from './server.ts';

const client = shared();

setSchemaValidator({ validate: async () => 'the schema is not what is tested' });

export interface Person {
  email: string;
  first?: string;
  last?: string;
}

export interface AnswerOptions {
  /** Instead of what an honest answer says, by the names of samlify's template: `Audience`, `ConditionsNotOnOrAfter`. */
  tags?: Record<string, string>;
  /** Rewrites the answer before it is signed. */
  edit?: (xml: string) => string;
  /** Signs the response, the assertion (as is usual), or both. */
  signs?: 'assertion' | 'response' | 'both';
  sha1?: boolean;
  /** Signs with another key than its own. */
  key?: Certified;
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const attribute = (name: string, value: string | undefined) =>
  value === undefined
    ? ''
    : `<saml:Attribute Name="${name}"><saml:AttributeValue>${escaped(value)}</saml:AttributeValue></saml:Attribute>`;

/** A real identity provider: it reads our metadata and requests and signs its answers. */
export class IdentityProvider {
  readonly entityID = 'https://idp.example.com/metadata?tenant=1';
  readonly ssoURL = 'https://idp.example.com/sso?tenant=1';

  constructor(readonly own: Certified = selfSigned()) {}

  /** What Bindery is told of it. */
  get settings() {
    return { entityID: this.entityID, ssoURL: this.ssoURL, certificate: this.own.certificate };
  }

  /** The answer, base64, to the request that the browser was sent here with. */
  async answer(metadata: string, redirect: string, person: Person, options: AnswerOptions = {}): Promise<string> {
    const { tags = {}, edit = (xml) => xml, signs = 'assertion', sha1 = false, key = this.own } = options;
    const service = ServiceProvider({
      metadata:
        signs === 'response'
          ? metadata.replace('WantAssertionsSigned="true"', 'WantAssertionsSigned="false"')
          : metadata,
      wantMessageSigned: signs !== 'assertion',
    });
    const provider = SamlifyProvider({
      entityID: this.entityID,
      signingCert: key.certificate,
      privateKey: key.privateKey,
      nameIDFormat: ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'],
      requestSignatureAlgorithm: sha1
        ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
        : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      singleLogoutService: [
        { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: 'https://idp.example.com/slo' },
      ],
      singleSignOnService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: this.ssoURL }],
    });
    const query = Object.fromEntries(new URL(redirect).searchParams);
    const request = await provider.parseLoginRequest(service, 'redirect', { query });
    const acs = String(service.entityMeta.getAssertionConsumerService('post'));
    const now = new Date().toISOString();
    const soon = new Date(Date.now() + 5 * 60_000).toISOString();
    const values = {
      ID: `_r${crypto.randomUUID()}`,
      AssertionID: `_a${crypto.randomUUID()}`,
      Destination: acs,
      SubjectRecipient: acs,
      Audience: service.entityMeta.getEntityID(),
      Issuer: this.entityID,
      IssueInstant: now,
      StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      ConditionsNotBefore: now,
      ConditionsNotOnOrAfter: soon,
      SubjectConfirmationDataNotOnOrAfter: soon,
      NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      NameID: person.email,
      InResponseTo: String(request.extract.request?.id),
      ...tags,
    };
    const statements = `<saml:AuthnStatement AuthnInstant="${now}" SessionIndex="s1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;
    const attributes = attribute('first_name', person.first) + attribute('last_name', person.last);
    const { context } = await provider.createLoginResponse(service, request as never, 'post', {}, (template) => ({
      id: values.ID,
      context: edit(
        SamlLib.replaceTagsByValue(
          template.replace('{AuthnStatement}', statements).replace('{AttributeStatement}', ''),
          values,
        ).replace(
          '</saml:Assertion>',
          attributes
            ? `<saml:AttributeStatement>${attributes}</saml:AttributeStatement></saml:Assertion>`
            : '</saml:Assertion>',
        ),
      ),
    }));
    return context;
  }
}

/** The id of the request that the browser was sent to the identity provider with. */
export const requestIn = (redirect: string): string => {
  const request = inflateRawSync(Buffer.from(new URL(redirect).searchParams.get('SAMLRequest') ?? '', 'base64'));
  return / ID="([^"]+)"/.exec(request.toString())?.[1] ?? '';
};

/** A browser at one provider of Bindery. It keeps its cookies. */
export class Browser {
  cookie = '';

  constructor(
    readonly client: Client,
    readonly provider: string,
  ) {}

  async metadata(): Promise<string> {
    const { body } = await this.client.get<string>(`/saml/${this.provider}/metadata`, { token: null });
    return body;
  }

  /** Where Bindery sends it to sign in. */
  async start(): Promise<string> {
    const { headers } = await this.client.get(`/saml/${this.provider}/start`, {
      token: null,
      headers: { cookie: this.cookie },
    });
    this.cookie = headers.get('set-cookie')?.split(';')[0] ?? this.cookie;
    return headers.get('location') ?? '';
  }

  /** Brings the answer of the identity provider back. */
  finish(response: string, accept = 'application/json') {
    return this.client.request('POST', `/saml/${this.provider}/acs`, undefined, {
      token: null,
      headers: { accept, cookie: this.cookie, 'content-type': 'application/x-www-form-urlencoded' },
      raw: new URLSearchParams({ SAMLResponse: response, RelayState: '' }).toString(),
    });
  }

  /** There and back. */
  async signIn(identityProvider: IdentityProvider, person: Person, options?: AnswerOptions) {
    const redirect = await this.start();
    return this.finish(await identityProvider.answer(await this.metadata(), redirect, person, options));
  }
}

/** An organization with a SAML provider. */
export interface SamlSetting {
  organization: string;
  provider: string;
  browser: Browser;
}

export async function newProvider(
  organization: string,
  identityProvider: IdentityProvider,
  settings: Record<string, unknown> = {},
): Promise<SamlSetting> {
  const { status, body } = await client.post(`/v1/orgs/${organization}/saml`, {
    label: 'Example',
    ...identityProvider.settings,
    defaultRole: 'edit',
    ...settings,
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return { organization, provider: body.id, browser: new Browser(client, body.id) };
}

export const newSetting = async (identityProvider: IdentityProvider, settings?: Record<string, unknown>) =>
  newProvider(await newOrganization(client), identityProvider, settings);

export const newEmail = () => `${unique('ada').replace(/ /g, '-')}@example.com`;

export const membersOf = (organization: string) => walk(client, `/v1/orgs/${organization}/members`, 100);

export const expectRefused = ({ status, body }: { status: number; body: any }, message: RegExp, code = 403) => {
  expect({ status, body }).toMatchObject({ status: code, body: { error: { code } } });
  expect(body.error.message).toMatch(message);
};
