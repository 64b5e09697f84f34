import { rm } from 'node:fs/promises';
import { proveDomain } from './domains.js';
import { newOrganization, newSpace } from './fixtures.js';
import { importInto, openRepositories } from './repository.js';
import { type StartedServer, startServer } from './server.js';

const env = { PUBLISH_DOMAIN: 'docs.test', BASE_URL: 'https://bindery.test/app', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' };

/** What a renderer says of a visitor when it asks what a URL shows. */
export interface Asking {
  visitor?: { jwtToken?: string; unsignedClaims?: Record<string, unknown> };
  redirectOnError?: boolean;
}

/** The published sites `main`, `solo` and `behind` of one organization, on a server of their own with a publishing domain. */
export class PublishedSites {
  server!: StartedServer;
  organization!: string;
  /** Names of the parts, by id. */
  readonly names = new Map<string, string>();
  /** Ids of the spaces, by title. */
  readonly spaces: Record<string, string> = {};

  async open(): Promise<void> {
    this.server = await startServer({ env });
    this.organization = await newOrganization(this.server);
    for (const domain of ['solo.example.com', 'www.example.org'])
      await proveDomain(this.server, this.organization, domain);
    await this.#addSpaces();
    await this.#addMain();
    await this.#addSite('solo', { hostname: 'solo.example.com' }, [this.spaces.solo as string]);
    const [only] = (await this.ok(this.server.get(this.at('solo', '/site-spaces')))).items;
    this.names.set(only.id, 'solo1');
    await this.ok(this.server.patch(this.at('solo', `/site-spaces/${only.id}`), { path: 'only' }));
    await this.#addSite('behind', { proxy: 'www.example.org/docs/v1' }, [this.spaces.api as string]);
    this.names.set((await this.ok(this.server.get(this.at('behind', '/site-spaces')))).items[0].id, 'behind1');
    const organization = `/v1/orgs/${this.organization}`;
    await this.ok(this.server.patch(organization, { hostname: 'acme' }));
    await this.ok(this.server.patch(organization, { defaultContent: { type: 'site', site: this.idOf('main') } }));
  }

  async close(): Promise<void> {
    await this.server?.stop();
    await rm(this.server.dataDir, { recursive: true, force: true });
  }

  /** Stops the server as an operator does, and starts it on the same data. */
  async restart(): Promise<void> {
    this.server.process.kill('SIGTERM');
    await new Promise((resolve) => this.server.process.once('exit', resolve));
    this.server = await startServer({ env, dataDir: this.server.dataDir });
  }

  idOf = (name: string) => [...this.names].find(([, each]) => each === name)?.[0] as string;
  at = (site: string, rest = '') => `/v1/orgs/${this.organization}/sites/${this.idOf(site)}${rest}`;

  ok = async (answer: Promise<{ status: number; body: any }>): Promise<any> => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  };

  ask = (url: string, asking: Asking = {}) =>
    this.server.post('/v1/urls/published', { url, ...asking }, { token: null });

  /** `section/site space page @ base path`, with `…` where more may follow; a redirect; or the status. */
  meaning = async (url: string, asking: Asking = {}): Promise<string> => {
    const { status, body } = await this.ask(url, asking);
    if (status !== 200) return String(status);
    if (body.redirect) return `→ ${body.redirect}`;
    const part = [body.siteSection, body.siteSpace].filter(Boolean).map((id) => this.names.get(id));
    const other = body.revision ? ` r:${body.revision}` : body.changeRequest ? ` c:${body.changeRequest}` : '';
    return `${part.join('/')} ${body.pathname}${other} @ ${body.basePath}${body.complete ? '' : '…'}`;
  };

  async #addSpaces(): Promise<void> {
    for (const title of ['guide', 'guide2', 'api', 'vip', 'tools', 'solo', 'other'])
      this.spaces[title] = await newSpace(this.server, this.organization, { title });
    const repositories = await openRepositories();
    await repositories.commit('guide', {
      'README.md': '# Home\n',
      'start.md': '# Start\n\nBegin.\n',
      'secret.md': "---\nif: visitor.claims.unsigned.plan == 'pro'\n---\n\n# Secret\n\nHush.\n",
      'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [Start](start.md)\n* [Secret](secret.md)\n',
    });
    for (const space of ['guide', 'solo'])
      await importInto(this.server, this.spaces[space] as string, { url: `${repositories.url}/guide.git` });
    await repositories.close();
  }

  async #addMain(): Promise<void> {
    const { guide, api, vip, tools, guide2, other } = this.spaces as Record<string, string>;
    await this.#addSite('main', {});
    await this.#addSection('guide', guide);
    await this.#addSection('api', api, 'API-Référence');
    await this.#addSection('vip', vip);
    await this.#addSection('tools', tools);
    const group = { title: 'More', sections: [this.idOf('tools')] };
    await this.ok(this.server.post(this.at('main', '/section-groups'), group));
    await this.#addSiteSpace('v2', guide2, 'guide');
    await this.#addSiteSpace('v3', other, 'tools');
    const condition = "visitor.claims.unsigned.plan == 'pro'";
    await this.ok(this.server.patch(this.at('main', `/sections/${this.idOf('vip')}`), { condition }));
    await this.ok(this.server.patch(this.at('main', `/site-spaces/${this.idOf('v3')}`), { condition }));
  }

  async #addSite(name: string, changes: Record<string, unknown>, spaces: string[] = []): Promise<void> {
    const sites = `/v1/orgs/${this.organization}/sites`;
    const { id } = await this.ok(this.server.post(sites, { title: name, spaces }));
    this.names.set(id, name);
    await this.ok(this.server.patch(this.at(name), { basename: name, ...changes }));
    await this.ok(this.server.post(this.at(name, '/publish')));
  }

  async #addSection(name: string, spaceId = '', path = name): Promise<void> {
    const section = await this.ok(this.server.post(this.at('main', '/sections'), { spaceId, title: name }));
    this.names.set(section.id, name);
    this.names.set(section.siteSpaces[0].id, `${name}1`);
    await this.ok(this.server.patch(this.at('main', `/sections/${section.id}`), { path }));
  }

  async #addSiteSpace(name: string, spaceId = '', section = ''): Promise<void> {
    const body = { spaceId, sectionId: this.idOf(section) };
    const siteSpace = await this.ok(this.server.post(this.at('main', '/site-spaces'), body));
    this.names.set(siteSpace.id, name);
    await this.ok(this.server.patch(this.at('main', `/site-spaces/${siteSpace.id}`), { path: name }));
  }
}
