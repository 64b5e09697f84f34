import type { VNode } from 'preact';
import { sitesContract } from '../../sites/contract.js';
import type { ShareLink } from '../../sites/resources.js';
import { Badge } from '../elements/badge.js';
import { Empty, Notice, Pager, Row, Rows, Section } from '../elements/elements.js';
import { Button, Field, Form } from '../elements/forms.js';
import { WebAddress } from '../elements/web-address.js';
import type { FormFields } from '../frame/form-fields.js';
import { nextEntries, pageOf } from '../frame/here.js';
import { unlessRefused } from '../frame/refusals.js';
import type { Onward, ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { type SiteRequest, siteOf } from './site-frame.js';

export interface Links {
  items: ShareLink[];
  next?: { page: string } | undefined;
}

/** The share links of a site; `refused` for those who may change the site, but do not administer all that it shows. */
export function shareLinksOf(request: SiteRequest): Promise<Links | 'refused'> {
  const query = { limit: 50, ...pageOf(request, 'links') };
  return unlessRefused(
    request.call(sitesContract.listSiteShareLinks, { path: siteOf(request), query }),
    'refused' as const,
  );
}

/** The list of share links, each with its address. */
export function shareLinkSection(request: ScreenRequest, links: Links | 'refused'): VNode {
  const { words, formToken } = request;
  const { sites } = words;
  if (links === 'refused')
    return (
      <Section title={sites.shareLinks} id="share-links">
        <Notice>{sites.shareLinksMay}</Notice>
      </Section>
    );
  return (
    <Section title={sites.shareLinks} id="share-links">
      {links.items.length === 0 && <Empty>{sites.noShareLinks}</Empty>}
      <Rows label={sites.shareLinks}>{links.items.map((link) => linkRow(request, link))}</Rows>
      <Pager next={nextEntries(request, links, 'links')} text={sites.moreShareLinks} />
      <Form token={formToken} action="create-link" class="inline">
        <Field label={sites.shareLinkName} name="name" required maxLength={50} />
        <Button>{sites.createShareLink}</Button>
      </Form>
    </Section>
  );
}

function linkRow({ words, formToken }: ScreenRequest, { id, name = '', active, urls }: ShareLink): VNode {
  const { sites } = words;
  const title = name || sites.unnamed;
  return (
    <Row
      title={title}
      about={urls.published === undefined ? sites.afterPublishing : <WebAddress href={urls.published} words={words} />}
    >
      {active === false && <Badge kind="warning">{sites.inactive}</Badge>}
      <Form token={formToken} action="revoke-link">
        <input type="hidden" name="link" value={id} />
        <Button kind="danger" confirm={fill(sites.revokeShareLinkSure, title)}>
          {sites.revokeShareLink}
        </Button>
      </Form>
    </Row>
  );
}

/** Making and revoking share links. */
export const shareLinkActions = {
  async 'create-link'({ call, to, path }: SiteRequest, fields: FormFields): Promise<Onward> {
    await call(sitesContract.createSiteShareLink, { path: siteOf({ path }), body: { name: fields.text('name') } });
    return { to: `${to.site(path.organization, path.site)}#share-links`, done: 'created' };
  },
  async 'revoke-link'({ call, to, path }: SiteRequest, fields: FormFields): Promise<Onward> {
    const link = { ...siteOf({ path }), shareLinkId: fields.text('link') };
    await call(sitesContract.deleteSiteShareLinkById, { path: link });
    return { to: `${to.site(path.organization, path.site)}#share-links`, done: 'linkRevoked' };
  },
};
