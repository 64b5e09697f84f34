import type { ShownBody } from '../../content/contract.js';
import type { Filling } from '../marks/fill-marks.js';
import type { SiteModel } from '../parts/page-model.js';
import type { Addresses } from './addresses.js';

interface Filled {
  model: Pick<SiteModel, 'basePath' | 'words' | 'formatDate'>;
  body: Pick<ShownBody, 'outside'>;
  addresses: Addresses;
}

/** The meaning of the marks of a body on the pages of a visit. */
export const fillingOf = ({ model, body, addresses }: Filled): Filling => ({
  page: addresses.page,
  file: addresses.file,
  outside(position) {
    const target = body.outside[position];
    const href = target ? addresses.target(target) : null;
    return target && href !== null ? { href, title: target.title ?? href } : null;
  },
  search: (query) => `${model.basePath}~search?q=${encodeURIComponent(query)}`,
  words: model.words,
  formatDate: model.formatDate,
});
