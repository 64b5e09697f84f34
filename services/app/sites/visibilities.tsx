import type { VNode } from 'preact';
import { invalid } from '../../../shared/errors/errors.js';
import { type Site, visibilities } from '../../sites/resources.js';
import { Badge } from '../elements/badge.js';
import { Field, Select } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import type { Words } from '../words/words.js';

type Visibility = Site['visibility'];

/** Says who sees a site. */
export const visibilityText = ({ sites }: Words, visibility: Visibility): string =>
  ({
    public: sites.public,
    unlisted: sites.unlisted,
    'share-link': sites.shareLink,
    'visitor-auth': sites.visitorAuth,
  })[visibility];

interface SiteFieldsProps {
  words: Words;
  title: string;
  visibility: string;
}

/** The fields of a site that its makers decide on first. */
export const SiteFields = ({ words, title, visibility }: SiteFieldsProps): VNode => (
  <>
    <Field label={words.sites.name} name="title" value={title} required minLength={2} maxLength={128} />
    <Select
      label={words.sites.visibility}
      name="visibility"
      value={visibility}
      options={visibilities.map((value) => ({ value, text: visibilityText(words, value) }))}
    />
  </>
);

/** Reads the fields of a site from a form. */
export function siteFieldsOf(fields: FormFields): { title: string; visibility: Visibility } {
  const visibility = visibilities.find((each) => each === fields.text('visibility'));
  if (!visibility) throw invalid('visibility: required');
  return { title: fields.text('title'), visibility };
}

/** Whether readers see a site. */
export const StatusBadge = ({ words: { sites }, site }: { words: Words; site: Site }): VNode =>
  site.published ? <Badge kind="success">{sites.published}</Badge> : <Badge kind="info">{sites.notPublished}</Badge>;
