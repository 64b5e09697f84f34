import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { defaultCustomization } from '../../../sites/resources.js';
import { english } from '../../words/english.js';
import { safeHref } from '../frame/links.js';
import { themeScript } from '../frame/theme-script.js';
import type { PageModel, SiteModel } from '../page-model.js';
import { renderAllPages, renderBarePage, renderMessagePage, renderNotFound } from './other-pages.js';
import { positionClass } from './page/cover.js';
import { renderPage } from './page.js';
import { renderPrintPage } from './print-page.js';
import { renderSearchPage } from './search-page.js';

const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;

/** A site with every part, all of whose texts and addresses are hostile. */
function hostileSite(): SiteModel {
  const title = hostile;
  const href = 'javascript:alert(3)';
  const choice = { title, href, active: true, description: hostile, icon: hostile };
  const links = [{ title, href }];
  const image = { light: href, dark: hostile };
  return {
    title,
    basePath: '/docs/',
    home: '/docs/',
    lang: 'en',
    dir: 'ltr',
    words: english,
    formatDate: (iso) => iso,
    customization: {
      ...defaultCustomization,
      feedback: { enabled: true },
      git: { showEditLink: true },
      externalLinks: { target: 'blank' },
      trademark: { enabled: true },
      privacyPolicy: { url: 'https://example.com/privacy' },
    },
    attributes: { 'data-theme': '' },
    assets: { css: '/a.css', theme: '/b.css', script: '/c.js', fonts: ['/d.woff2'] },
    favicon: image,
    logo: image,
    headerLinks: [{ title, href: null, style: 'button-primary', links }],
    sections: [choice, { title, icon: hostile, sections: [choice, choice] }],
    variants: [
      { ...choice, lang: hostile },
      { ...choice, active: false },
    ],
    announcement: { message: hostile, style: 'danger', link: { title, href } },
    footer: { logo: image, groups: [{ title, links }], copyright: hostile },
    socialAccounts: [{ platform: '__proto__', title, href, inHeader: true, inFooter: true }],
    notice: { kind: 'change-request', title, href },
    signOut: '/docs/~out',
    insights: true,
  };
}

const page: PageModel = {
  id: hostile,
  title: hostile,
  description: hostile,
  icon: '__proto__',
  cover: { light: 'data:text/html,x', dark: hostile, yPos: Number.NaN },
  layout: {
    width: 'default',
    cover: true,
    coverSize: 'hero',
    coverMask: 'radial',
    title: true,
    description: true,
    tableOfContents: true,
    outline: true,
    pagination: true,
    metadata: true,
    tags: true,
    actions: true,
    anchors: true,
  },
  updatedAt: hostile,
  edit: { href: hostile, host: hostile },
  tags: [{ label: hostile, primary: true, href: hostile }],
  ancestors: [{ title: hostile, href: hostile }, { title: hostile }],
  previous: { title: hostile, href: 'java\nscript:alert(4)' },
  next: { title: hostile, href: hostile },
  outline: [{ id: hostile, title: hostile, level: 1 }],
  body: '<h2 id="a">Body</h2>',
  canonical: hostile,
  alternates: [{ lang: hostile, href: hostile }],
  markdown: '/page.md',
  pdf: hostile,
  rss: hostile,
};
const results = [
  {
    title: hostile,
    href: hostile,
    crumbs: [hostile],
    body: hostile,
    sections: [{ title: hostile, href: hostile, body: hostile }],
  },
];
const entry = { id: 'a', title: hostile, kind: 'document' as const, href: hostile, children: [] };

const site = hostileSite();
const documents: [name: string, html: string][] = [
  ['a page', renderPage(site, page, '<ul></ul>')],
  [
    'a page without parts',
    renderPage(
      { ...site, sections: [], variants: [] },
      {
        ...page,
        layout: {
          ...page.layout,
          title: false,
          outline: false,
          tableOfContents: false,
          coverSize: 'full',
          width: 'wide',
        },
      },
      '',
    ),
  ],
  ['the page of results', renderSearchPage(site, { query: `${hostile} ( [ \\`, scope: 'site', isCut: false, results })],
  ['the page that is not found', renderNotFound(site, [{ title: hostile, href: hostile }])],
  ['the page of all pages', renderAllPages(site, [{ ...entry, children: [entry] }])],
  ['a message', renderMessagePage(site, { title: hostile, text: hostile, action: { title: hostile, href: hostile } })],
  [
    'a message without a site',
    renderBarePage({
      title: hostile,
      text: hostile,
      lang: 'en',
      dir: 'ltr',
      links: [{ title: hostile, href: hostile }],
    }),
  ],
  [
    'the page for printing',
    renderPrintPage(site, {
      title: hostile,
      updatedAt: hostile,
      pages: [{ anchor: hostile, title: hostile, depth: 0, body: '' }],
    }),
  ],
];

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

function elementsOf(html: string): { elements: Element[]; errors: string[] } {
  const errors: string[] = [];
  const elements: Element[] = [];
  const document = parse(html, { onParseError: ({ code }) => errors.push(code) });
  const collect = (node: Node) => {
    if ('attrs' in node) elements.push(node);
    if ('childNodes' in node) for (const child of node.childNodes) collect(child);
  };
  collect(document);
  return { elements, errors };
}

const attribute = (element: Element, name: string) => element.attrs.find((each) => each.name === name)?.value;
const named = (elements: Element[], name: string) => elements.filter(({ tagName }) => tagName === name);

describe.each(documents)('%s', (_name, html) => {
  const { elements, errors } = elementsOf(html);

  test('is well formed', () => {
    expect(errors.filter((code) => code !== 'non-void-html-element-start-tag-with-trailing-solidus')).toEqual([]);
  });

  test('has one heading of the first level and one main', () => {
    expect(named(elements, 'h1')).toHaveLength(1);
    expect(named(elements, 'main')).toHaveLength(1);
  });

  test('names no id twice, and its references lead to one', () => {
    const ids = elements.flatMap((element) => attribute(element, 'id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const references = elements.flatMap((element) =>
      ['popovertarget', 'aria-labelledby', 'for'].flatMap((name) => attribute(element, name) ?? []),
    );
    expect(references.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('runs no script but ours and has no style of its own', () => {
    const scripts = named(elements, 'script').map((script) => {
      const [text] = script.childNodes;
      return attribute(script, 'src') ?? (text && 'value' in text ? text.value : '');
    });
    for (const script of scripts) expect([themeScript, '/c.js']).toContain(script);
    const names = elements.flatMap(({ attrs }) => attrs.map(({ name }) => name));
    expect(names.filter((name) => name === 'style' || name.startsWith('on'))).toEqual([]);
    expect(named(elements, 'style')).toEqual([]);
    expect(elements.filter((element) => attribute(element, 'onerror') !== undefined)).toEqual([]);
  });

  test('has no address of a scheme that runs something', () => {
    const addresses = elements.flatMap((element) =>
      ['href', 'src', 'action'].flatMap((name) => attribute(element, name) ?? []),
    );
    for (const address of addresses) expect(safeHref(address)).toBe(address);
  });

  test('tells its landmarks of a kind apart', () => {
    for (const kind of ['nav', 'aside']) {
      const labels = named(elements, kind).map(
        (element) => attribute(element, 'aria-label') ?? attribute(element, 'aria-labelledby'),
      );
      expect(labels).not.toContain(undefined);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });
});

test('the script before the first paint is small', () => {
  expect(Buffer.byteLength(themeScript)).toBeLessThanOrEqual(300);
});

test('the focus of a cover becomes one of 21 classes', () => {
  expect([0, -1e9, 1e9, 40, Number.NaN].map(positionClass)).toEqual(['y-50', 'y-100', 'y-0', 'y-40', 'y-50']);
});

test.each([
  ['/a', '/a'],
  ['https://a.example', 'https://a.example'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['page:1/b', undefined],
  ['\u0001 java\tscript:x', undefined],
  ['data:text/html,x', undefined],
  ['', undefined],
])('the address %j becomes %j', (href, safe) => {
  expect(safeHref(href)).toBe(safe);
});

test('results mark the words of the query', () => {
  const html = renderSearchPage(site, {
    query: 'Install a.b x-y/z',
    scope: 'site',
    isCut: true,
    results: [{ title: 'How to INSTALL, and reinstall', href: '/x', body: 'a.b, not acb', sections: [] }],
  });
  expect(html).toContain('>Results: 1+<');
  expect(html).not.toContain('re<mark>');
  expect(html).toContain('How to <mark>INSTALL</mark>, and reinstall');
  expect(html).toContain('<p><mark>a.b</mark>, not acb</p>');
});
