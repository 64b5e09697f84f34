import type { VNode } from 'preact';
import type { Site } from '../../sites/resources.js';
import { Emblem, Row } from '../elements/elements.js';
import type { ScreenRequest } from '../frame/screen.js';
import { StatusBadge, visibilityText } from './visibilities.js';

/** A site in a list: whether it is published, and where. */
export const siteRow = (
  { to, words }: Pick<ScreenRequest, 'to' | 'words'>,
  organization: string,
  site: Site,
): VNode => (
  <Row
    href={to.site(organization, site.id)}
    title={site.title}
    lead={<Emblem fallback="globe" />}
    about={
      site.urls.published === undefined ? visibilityText(words, site.visibility) : <bdi>{site.urls.published}</bdi>
    }
  >
    <StatusBadge words={words} site={site} />
  </Row>
);
