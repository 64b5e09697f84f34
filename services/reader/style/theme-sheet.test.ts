import { readFileSync } from 'node:fs';
import { packageFile } from '../../../shared/process/package-root.js';
import { type Customization, defaultCustomization } from '../../sites/resources.js';
import { contrastOf } from './color.js';
import { fontSources } from './font-stacks.js';
import { themeAttributes, themeSheet } from './theme-sheet.js';

type Styling = Customization['styling'];
type Definition = Extract<Styling['font'], object>;

const styled = (styling: Partial<Styling>, over: Partial<Customization> = {}): Customization => ({
  ...defaultCustomization,
  ...over,
  styling: { ...defaultCustomization.styling, ...styling },
});

/** The values of custom properties in the light and in the dark scheme. */
function schemesOf(css: string): { light: Record<string, string>; dark: Record<string, string> } {
  const schemes = { light: {} as Record<string, string>, dark: {} as Record<string, string> };
  for (const [, name = '', both, one = '', other = ''] of css.matchAll(
    /(--[\w-]+):\s*(light-dark\((#\w+),\s*(#\w+)\)|#\w+)/g,
  )) {
    schemes.light[name] = one || (both ?? '');
    schemes.dark[name] = other || (both ?? '');
  }
  return schemes;
}

const papers = ['--paper', '--paper-soft', '--paper-raised'];
const states = ['--info', '--success', '--warning', '--danger'];
/** Color, background, and the contrast that they need. */
const pairs: [string, string, number][] = [
  ...['--text', '--text-soft', '--text-faint', '--primary'].flatMap((text) =>
    [...papers, '--primary-soft'].map((paper): [string, string, number] => [text, paper, 4.5]),
  ),
  ...states.flatMap((state) =>
    [...papers, `${state}-soft`].map((paper): [string, string, number] => [state, paper, 4.5]),
  ),
  ...states.map((state): [string, string, number] => ['--text', `${state}-soft`, 4.5]),
  ...papers.flatMap((paper): [string, string, number][] => [
    ['--line-strong', paper, 3],
    ['--focus', paper, 3],
  ]),
  ['--on-primary', '--primary-solid', 4.5],
  ['--header-text', '--header-back', 4.5],
  ['--header-link', '--header-back', 4.5],
];

/** The pairs of colors that cannot be told apart well enough. */
const unreadable = (colors: Record<string, string>) =>
  pairs.filter(([color, background, min]) => contrastOf(colors[color] ?? '', colors[background] ?? '') < min);

function unreadableIn(customization: Customization) {
  const { light, dark } = schemesOf(themeSheet(customization).css);
  for (const [color, background] of pairs)
    for (const name of [color, background]) if (!light[name] || !dark[name]) throw new Error(`${name} is not set`);
  return { light: unreadable(light), dark: unreadable(dark) };
}
const none = { light: [], dark: [] };

/** Any colors in any theme, the same in each run. */
function anyCustomization(at: number): Customization {
  const color = (salt: number) =>
    `#${(((at * 7919 + salt * 104729) * 2654435761) % 0x1000000).toString(16).padStart(6, '0')}`;
  const themed = (salt: number) => ({ light: color(salt), dark: color(salt + 1) });
  const pick = <T>(options: readonly T[], salt: number) => options[(at + salt) % options.length] as T;
  return styled(
    {
      theme: pick(['clean', 'muted', 'bold', 'gradient'], 0),
      primaryColor: themed(1),
      infoColor: themed(3),
      successColor: themed(5),
      warningColor: themed(7),
      dangerColor: themed(9),
      ...(at % 3 === 0 ? {} : { tint: { color: themed(11) } }),
    },
    {
      header: {
        preset: pick(['default', 'bold', 'contrast', 'custom', 'none'], at % 7),
        links: [],
        backgroundColor: themed(13),
        linkColor: themed(15),
      },
    },
  );
}

// Each customization has 16 colors.
it('keeps text readable in any colors, in both schemes', () => {
  for (let at = 0; at < 120; at += 1) {
    expect(unreadableIn(anyCustomization(at))).toEqual(none);
  }
});

it('keeps extreme colors readable', () => {
  for (const color of ['#000', '#fff', '#777', '#ff0', '#00f', '#0f0'])
    for (const theme of ['clean', 'muted', 'bold', 'gradient'] as const) {
      const themed = { light: color, dark: color };
      expect(unreadableIn(styled({ theme, primaryColor: themed, tint: { color: themed } }))).toEqual(none);
    }
});

describe('the defaults of the common stylesheet', () => {
  const { light, dark } = schemesOf(readFileSync(packageFile('services/reader/style/css/tokens.css'), 'utf8'));

  it.each([
    ['light', light, '#efefef'],
    ['dark', dark, '#232529'],
  ])('have readable marks and code when %s', (_scheme, colors, codePaper) => {
    const names = Object.keys(colors);
    const backs = names.filter((name) => /^--mark-.*-back$/.test(name));
    const marks = names.filter((name) => /^--mark-.*-text$/.test(name));
    const code = names.filter((name) => name.startsWith('--code-'));
    expect([backs.length, marks.length, code.length]).toEqual([12, 12, 11]);
    for (const mark of marks)
      for (const back of [...backs, '--paper', '--paper-soft'])
        expect(contrastOf(colors[mark] ?? '', colors[back] ?? '')).toBeGreaterThanOrEqual(4.5);
    for (const back of backs)
      expect(contrastOf(colors['--text'] ?? '', colors[back] ?? '')).toBeGreaterThanOrEqual(4.5);
    for (const name of code) expect(contrastOf(colors[name] ?? '', codePaper)).toBeGreaterThanOrEqual(4.5);
  });

  it('are the colors of a site for which nothing is set', () => {
    const own = schemesOf(themeSheet(defaultCustomization).css);
    for (const [name, value] of Object.entries(own.light))
      if (light[name] !== undefined) expect([name, light[name], dark[name]]).toEqual([name, value, own.dark[name]]);
  });
});

describe('fonts', () => {
  const definition = (over: Partial<Definition>): Definition => ({
    id: 'own',
    custom: true,
    fontFamily: 'Acme Sans',
    fontFaces: [{ weight: 400, sources: [{ url: 'https://fonts.example/a.woff2', format: 'woff2' }] }],
    ...over,
  });

  it('load from the addresses that the customization names', () => {
    const customization = styled({ font: definition({}) });
    const { css } = themeSheet(customization);
    expect(css).toContain('@font-face{font-family:"Acme Sans";font-weight:400;font-display:swap;');
    expect(css).toContain('src:url("https://fonts.example/a.woff2") format("woff2")');
    expect(css).toContain('--font:"Acme Sans", ');
    expect(fontSources(customization)).toEqual(['https://fonts.example']);
  });

  it('are asked of nobody when they are known by name', () => {
    for (const font of ['Poppins', 'Merriweather', 'RobotoSlab'] as const) {
      const customization = styled({ font });
      expect(themeSheet(customization).css).not.toContain('url(');
      expect(fontSources(customization)).toEqual([]);
    }
  });

  it.each(['x"; } body{display:none}', 'a\\', "'</style><script>", '\n}*{color:red}', '__proto__', '/*'])(
    'do no harm with the name %j',
    (fontFamily) => {
      const { css } = themeSheet(styled({ font: definition({ fontFamily }) }));
      const outsideStrings = css.replace(/"[^"\n]*"/g, '');
      expect(outsideStrings).not.toMatch(/body|script|color:red|\\|<|\/\*/);
      expect(outsideStrings.split('{').length).toBe(outsideStrings.split('}').length);
    },
  );

  it.each(['javascript:alert(1)', 'data:font/woff2,x', 'file:///etc/passwd', 'not a URL', '//fonts.example/a'])(
    'do not load from %s',
    (url) => {
      const customization = styled({ font: definition({ fontFaces: [{ weight: 400, sources: [{ url }] }] }) });
      expect(themeSheet(customization).css).not.toContain('@font-face');
      expect(fontSources(customization)).toEqual([]);
    },
  );

  it('do no harm with an address', () => {
    const url = `https://fonts.example/a'")}body{x\\?"#")`;
    const { css } = themeSheet(styled({ font: definition({ fontFaces: [{ weight: 400, sources: [{ url }] }] }) }));
    const outsideStrings = css.replace(/"[^"\n]*"/g, '');
    expect(outsideStrings).not.toContain('body');
    expect(css.match(/url\("[^"]*"\)/g)).toHaveLength(1);
  });
});

describe('attributes', () => {
  it('follow the system unless the site decides', () => {
    const schemeOf = (themes: Customization['themes']) => themeAttributes(styled({}, { themes }))['data-theme'];
    expect(schemeOf({ default: 'light', toggeable: true })).toBe('');
    expect(schemeOf({ default: 'dark', toggeable: true })).toBe('dark');
    expect(schemeOf({ default: 'light', toggeable: false })).toBe('light');
  });

  it('draw code in one color where the site has a theme without colors', () => {
    const codeOf = (light: Styling['codeTheme']['default']['light']) => {
      const { openapi, default: own } = defaultCustomization.styling.codeTheme;
      return themeAttributes(styled({ codeTheme: { openapi, default: { ...own, light } } }))['data-code'];
    };
    expect([codeOf('monochrome-light'), codeOf('github-light')]).toEqual(['monochrome', 'default']);
  });

  it('fill the header of a bold site', () => {
    expect(themeAttributes(styled({ theme: 'bold' }))['data-header']).toBe('bold');
    expect(themeAttributes(styled({ theme: 'clean' }))['data-header']).toBe('default');
  });
});

it('names a stylesheet by its content', () => {
  const one = themeSheet(defaultCustomization);
  expect(themeSheet(styled({})).hash).toBe(one.hash);
  expect(themeSheet(styled({ theme: 'muted' })).hash).not.toBe(one.hash);
});
