import { type SocialPage, socialTags } from './social.js';

const page = {
  title: 'Install',
  description: 'How to\ninstall',
  url: 'https://docs.example.com/install',
  front: false,
};
const site = { title: 'Acme', description: 'Anvils', language: 'pt-br' };
const valuesOf = (given: SocialPage) =>
  Object.fromEntries(socialTags(given).map((tag) => ['property' in tag ? tag.property : tag.name, tag.content]));

describe('the card of a link', () => {
  it('says what the page is and which site it is of', () => {
    expect(valuesOf({ page: { ...page, updatedAt: '2026-11-21T08:48:28.435Z' }, site })).toEqual({
      'og:type': 'article',
      'og:title': 'Install',
      'og:description': 'How to install',
      'og:url': page.url,
      'og:site_name': 'Acme',
      'og:locale': 'pt_BR',
      'article:modified_time': '2026-11-21T08:48:28.435Z',
      'twitter:card': 'summary',
    });
  });

  it('of the front page is about the site', () => {
    const front = { ...page, description: '', front: true, updatedAt: '2026-11-21T08:48:28.435Z' };
    const values = valuesOf({ page: front, site: { ...site, language: 'en', account: '@acme' } });
    expect(values).toMatchObject({ 'og:type': 'website', 'og:description': 'Anvils', 'og:locale': 'en_US' });
    expect(values['twitter:site']).toBe('@acme');
    expect(values['article:modified_time']).toBeUndefined();
  });

  it('shows the cover of the page before the picture of the site', () => {
    const cover = { url: 'https://docs.example.com/cover.png', width: 1200, height: 630, alt: 'Anvil' };
    const other = { url: 'https://docs.example.com/site.png' };
    expect(valuesOf({ page: { ...page, image: cover }, site: { ...site, image: other } })).toMatchObject({
      'og:image': cover.url,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'Anvil',
      'twitter:card': 'summary_large_image',
    });
    const broken = { ...page, image: { url: 'data:image/png;base64,x' } };
    expect(valuesOf({ page: broken, site: { ...site, image: other } })['og:image']).toBe(other.url);
  });

  it('shows less where values are wrong', () => {
    const values = valuesOf({
      page: { ...page, title: '', description: 'x'.repeat(1e6), updatedAt: 'now' },
      site: { ...site, language: '<script>', account: '"><script>' },
    });
    expect(values['og:title']).toBe('Acme');
    expect(values['og:description']).toHaveLength(300);
    expect(Object.keys(values)).not.toEqual(expect.arrayContaining(['og:locale']));
    expect(Object.keys(values)).not.toContain('twitter:site');
    expect(Object.keys(values)).not.toContain('article:modified_time');
  });
});
