import { type HomeOptions, homePage, type Published } from './home-page.js';

const options: HomeOptions = {
  baseUrl: 'https://docs.example/bindery',
  basePath: '/bindery',
  reader: true,
};
const here = { title: 'Guide', url: 'https://docs.example/bindery/sites/site_1/', organization: 'Acme' };
const elsewhere = { title: 'Manual', url: 'https://manual.example/', organization: 'Acme' };
const shown = (items: NonNullable<Published>['items'], more: Partial<HomeOptions> = {}) =>
  homePage({ items, more: false }, { ...options, ...more });

describe('the first page', () => {
  it('links to what is published: by path where it is on this server', () => {
    const page = shown([here, elsewhere]);
    expect(page).toContain('href="/bindery/sites/site_1/"');
    expect(page).toContain('href="https://manual.example/"');
  });

  it('leaves out the list while nobody knows what is published', () => {
    expect(homePage(null, options)).not.toContain('Published here');
    expect(shown([])).toContain('Nothing yet.');
  });

  it('shows no site at its own address where another renderer shows them', () => {
    const page = shown([here, elsewhere], { reader: false });
    expect(page).not.toContain('/sites/site_1/');
    expect(page).toContain('https://manual.example/');
  });

  it('shows the names that people give as text, and needs no script', () => {
    const hostile = { title: '"><script>alert(1)</script>', url: here.url, organization: '<b>x' };
    const page = shown([
      hostile,
      { ...here, emoji: '<' },
      { ...here, emoji: '110000-d800' },
      { ...here, emoji: '1f4d6' },
    ]);
    expect(page).not.toMatch(/<script|<b>| style=| on[a-z]+=/);
    expect(page).toContain('<span class="tile" aria-hidden="true">\u{1f4d6}</span>');
  });

  it('leads to the app', () => {
    expect(shown([here])).toContain('href="/bindery/app"');
  });
});
