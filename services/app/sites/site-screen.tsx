import type { VNode } from 'preact';
import { sitesContract } from '../../sites/contract.js';
import type { Site, SiteSpace } from '../../sites/resources.js';
import { Badge } from '../elements/badge.js';
import { Emblem, Empty, Heading, Notice, Pager, Row, Rows, Section, sign } from '../elements/elements.js';
import { Button, Deletion, Form } from '../elements/forms.js';
import { WebAddress } from '../elements/web-address.js';
import { nextEntries, pageOf } from '../frame/here.js';
import { screen } from '../frame/screen.js';
import { organizationAround } from '../organizations/around.js';
import { fill } from '../words/languages.js';
import { type Links, shareLinkActions, shareLinkSection, shareLinksOf } from './share-links.js';
import { type SiteRequest, siteCrumbs, siteOf, siteTabs } from './site-frame.js';
import { SiteFields, StatusBadge, siteFieldsOf, visibilityText } from './visibilities.js';

/** A site: where it is, who sees it, and what it shows. */
export const siteScreen = screen({
  path: '/o/{organization}/sites/{site}',
  async show(request) {
    const { call, to, path } = request;
    const at = siteOf(request);
    const [site, spaces, around] = await Promise.all([
      call(sitesContract.getSiteById, { path: at }),
      call(sitesContract.listSiteSpaces, { path: at, query: { limit: 50, ...pageOf(request) } }),
      organizationAround(request, path.organization, to.sites(path.organization)),
    ]);
    const links = site.permissions.admin && site.visibility === 'share-link' ? await shareLinksOf(request) : null;
    return {
      ...around,
      crumbs: siteCrumbs(request, path.organization),
      title: site.title,
      main: siteView(request, { site, spaces, links }),
    };
  },
  actions: {
    async publish({ call, to, ...request }) {
      const at = siteOf(request);
      await call(sitesContract.publishSite, { path: at });
      return { to: to.site(at.organizationId, at.siteId), done: 'published' };
    },
    async unpublish({ call, to, ...request }) {
      const at = siteOf(request);
      await call(sitesContract.unpublishSite, { path: at });
      return { to: to.site(at.organizationId, at.siteId), done: 'unpublished' };
    },
    async settings({ call, to, ...request }, fields) {
      const at = siteOf(request);
      await call(sitesContract.updateSiteById, { path: at, body: siteFieldsOf(fields) });
      return { to: to.site(at.organizationId, at.siteId), done: 'saved' };
    },
    async delete({ call, to, ...request }) {
      const at = siteOf(request);
      await call(sitesContract.deleteSiteById, { path: at });
      return { to: to.sites(at.organizationId), done: 'deleted' };
    },
    ...shareLinkActions,
  },
});

/** Leads on to a preview, whose address is made for each visit and is valid for an hour. */
export const previewScreen = screen({
  path: '/o/{organization}/sites/{site}/preview',
  async show({ call, ...request }) {
    const { url } = await call(sitesContract.getSitePublishingPreviewById, { path: siteOf(request), query: {} });
    return { to: url };
  },
});

interface Shown {
  site: Site;
  spaces: { items: SiteSpace[]; next?: { page: string } | undefined };
  links: Links | 'refused' | null;
}

function siteView(request: SiteRequest, { site, spaces, links }: Shown): VNode {
  const { words, query } = request;
  return (
    <>
      {siteHeading(request, site)}
      {siteTabs(request, request.path.organization, site)}
      {query.has('unpublished') && !site.published && <Notice kind="warning">{words.sites.stillUnpublished}</Notice>}
      <Section title={words.sites.address} id="address">
        {addressOf(request, site)}
      </Section>
      {links !== null && shareLinkSection(request, links)}
      {site.permissions.admin && settings(request, site)}
      <Section title={words.sites.spaces} id="spaces">
        {spaces.items.length === 0 && <Empty>{words.sites.noSpaces}</Empty>}
        <Rows label={words.sites.spaces}>{spaces.items.map((each) => spaceRow(request, each))}</Rows>
        <Pager next={nextEntries(request, spaces)} text={words.sites.moreSpaces} />
      </Section>
      {site.permissions.admin && deletion(request)}
    </>
  );
}

function siteHeading({ words, to, path, formToken }: SiteRequest, site: Site): VNode {
  const { sites } = words;
  const { published, permissions, urls } = site;
  return (
    <Heading title={site.title} lead={<StatusBadge words={words} site={site} />}>
      {urls.published !== undefined && (
        <a class="button" href={urls.published}>
          {sign('arrow-up-right-from-square')} {sites.open}
        </a>
      )}
      {permissions.admin && !published && (
        <a class="button" href={to.preview(path.organization, site.id)}>
          {sign('eye')} {sites.preview}
        </a>
      )}
      {permissions.admin && (
        <Form token={formToken} action={published ? 'unpublish' : 'publish'}>
          {published ? (
            <Button kind="danger" confirm={fill(sites.unpublishSure, site.title)}>
              {sites.unpublish}
            </Button>
          ) : (
            <Button kind="primary">{sites.publish}</Button>
          )}
        </Form>
      )}
    </Heading>
  );
}

function addressOf({ words }: SiteRequest, { urls, published, visibility }: Site): VNode {
  if (urls.published !== undefined)
    return (
      <>
        <p>
          <WebAddress href={urls.published} words={words} />
        </p>
        <p class="hint-text">{visibilityText(words, visibility)}</p>
      </>
    );
  return <p>{published ? words.sites.addressByLink : words.sites.addressLater}</p>;
}

const settings = ({ words, formToken, refused }: SiteRequest, { title, visibility }: Site): VNode => (
  <Section title={words.sites.settings} id="settings">
    <Form token={formToken} action="settings" class="panel">
      <SiteFields
        words={words}
        title={refused?.fields.text('title') || title}
        visibility={refused?.fields.text('visibility') || visibility}
      />
      <Button>{words.frame.save}</Button>
    </Form>
  </Section>
);

const spaceRow = ({ to, words }: SiteRequest, { space, title, path, default: isFirst }: SiteSpace): VNode => (
  <Row
    href={to.space(space.id)}
    title={title}
    lead={<Emblem emoji={space.emoji} fallback="book" />}
    about={<bdi>{`/${path}`}</bdi>}
  >
    {isFirst && <Badge kind="info">{words.sites.firstSpace}</Badge>}
  </Row>
);

const deletion = ({ words: { sites }, formToken }: SiteRequest): VNode => (
  <div class="settings-cards">
    <Deletion token={formToken} title={sites.delete} text={sites.deleteText} button={sites.deleteSure} />
  </div>
);
