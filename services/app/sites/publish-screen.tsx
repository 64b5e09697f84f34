import type { VNode } from 'preact';
import { isExpected } from '../../../shared/errors/errors.js';
import { contentContract } from '../../content/contract.js';
import type { Space } from '../../content/resources.js';
import { identityContract } from '../../identity/contract.js';
import { sitesContract } from '../../sites/contract.js';
import type { Site } from '../../sites/resources.js';
import { Heading, Notice, Rows, Section } from '../elements/elements.js';
import { Button, Form, Select } from '../elements/forms.js';
import { type Onward, type ScreenRequest, screen } from '../frame/screen.js';
import { spaceAround } from '../reading/around.js';
import { fill } from '../words/languages.js';
import { siteRow } from './site-row.js';
import { SiteFields, siteFieldsOf } from './visibilities.js';

/** The most sites that are offered to add a space to. */
const maxOffered = 1000;

/** Makes a site of a space, or adds the space to one that exists. */
export const publishScreen = screen({
  path: '/s/{space}/~/publish',
  async show(request) {
    const { call, words, path } = request;
    const space = await call(contentContract.getSpaceById, { path: { spaceId: path.space } });
    const organizationId = space.organization;
    const [organization, showing, all, around] = await Promise.all([
      call(identityContract.getOrganizationById, { path: { organizationId } }),
      call(sitesContract.listSites, { path: { organizationId }, query: { space: space.id, limit: 100 } }),
      call(sitesContract.listSites, { path: { organizationId }, query: { limit: maxOffered } }),
      spaceAround(request, space),
    ]);
    const may = space.permissions.admin && organization.permissions.createContent;
    const title = fill(words.sites.publishTitle, space.title);
    const shown = new Set(showing.items.map(({ id }) => id));
    const others = all.items.filter(({ id, permissions }) => permissions.admin && !shown.has(id));
    return {
      ...around,
      title,
      main: (
        <>
          <Heading title={title} {...(may ? { lead: words.sites.publishText } : {})} />
          {may ? publishForm(request, space) : <Notice>{words.sites.publishMay}</Notice>}
          {showing.items.length > 0 && (
            <Section title={words.sites.shownBy} id="shown-by">
              <Rows label={words.sites.shownBy}>
                {showing.items.map((site) => siteRow(request, organizationId, site))}
              </Rows>
            </Section>
          )}
          {may && others.length > 0 && addForm(request, others)}
        </>
      ),
    };
  },
  actions: {
    async publish(request, fields) {
      const { call, path } = request;
      const space = await call(contentContract.getSpaceById, { path: { spaceId: path.space } });
      const made = await call(sitesContract.createSite, {
        path: { organizationId: space.organization },
        body: { ...siteFieldsOf(fields), spaces: [space.id] },
      });
      return publishMade(request, space, made);
    },
    async add({ call, path, to }, fields) {
      const space = await call(contentContract.getSpaceById, { path: { spaceId: path.space } });
      const at = { organizationId: space.organization, siteId: fields.text('site') };
      await call(sitesContract.addSpaceToSite, { path: at, body: { spaceId: space.id } });
      return { to: to.site(at.organizationId, at.siteId), done: 'spaceAdded' };
    },
  },
});

/** Publishes a site that was just made. Where that fails, its own screen says so and offers it again: nobody is to make a second one. */
async function publishMade(
  { call, to }: Pick<ScreenRequest, 'call' | 'to'>,
  { organization }: Space,
  { id }: Site,
): Promise<Onward> {
  const made = to.site(organization, id);
  try {
    await call(sitesContract.publishSite, { path: { organizationId: organization, siteId: id } });
    return { to: made, done: 'published' };
  } catch (error) {
    if (!isExpected(error)) throw error;
    return { to: `${made}?unpublished` };
  }
}

const publishForm = ({ words, formToken, refused }: ScreenRequest, space: Space): VNode => (
  <Form token={formToken} action="publish" class="panel">
    <SiteFields
      words={words}
      title={refused?.fields.text('title') || space.title}
      visibility={refused?.fields.text('visibility') || 'public'}
    />
    <Button kind="primary">{words.sites.publish}</Button>
  </Form>
);

const addForm = ({ words, formToken }: ScreenRequest, others: Site[]): VNode => (
  <Section title={words.sites.addTo} id="add-to">
    <Form token={formToken} action="add" class="inline">
      <Select
        label={words.sites.site}
        name="site"
        options={others.map(({ id, title }) => ({ value: id, text: title }))}
      />
      <Button>{words.sites.add}</Button>
    </Form>
  </Section>
);
