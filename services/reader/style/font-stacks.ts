import type { Customization } from '../../sites/resources.js';

type Styling = Customization['styling'];
type Definition = Extract<Styling['font'], object>;

const ours = "'Inter Variable'";
const mono = "'JetBrains Mono Variable', ui-monospace, 'Cascadia Code', 'Source Code Pro', Menlo, Consolas, monospace";
const sans = `${ours}, 'Inter Fallback', system-ui, 'Segoe UI', 'Noto Sans', sans-serif`;
const geometric = `Avenir, Montserrat, Corbel, 'URW Gothic', ${sans}`;
const humanist = `Seravek, 'Gill Sans Nova', Calibri, 'DejaVu Sans', ${sans}`;
const serif = "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, 'Noto Serif', serif";
const slab = "Rockwell, 'Rockwell Nova', 'DejaVu Serif', 'Sitka Small', serif";

/** Fonts that customizations name, where a reader has them installed, before the nearest that everybody has: no other server is asked. */
const stacks: Record<Extract<Styling['font'], string>, string> = {
  Inter: sans,
  ABCFavorit: `'ABC Favorit', ${sans}`,
  Roboto: `Roboto, ${sans}`,
  RobotoSlab: `'Roboto Slab', ${slab}`,
  OpenSans: `'Open Sans', ${humanist}`,
  SourceSansPro: `'Source Sans 3', 'Source Sans Pro', ${humanist}`,
  Lato: `Lato, ${humanist}`,
  Ubuntu: `Ubuntu, ${humanist}`,
  Raleway: `Raleway, ${geometric}`,
  Merriweather: `Merriweather, ${serif}`,
  Overpass: `Overpass, ${sans}`,
  NotoSans: `'Noto Sans', ${sans}`,
  IBMPlexSerif: `'IBM Plex Serif', ${serif}`,
  Poppins: `Poppins, ${geometric}`,
  FiraSans: `'Fira Sans', ${humanist}`,
};
const monospaceStacks: Record<Extract<Styling['monospaceFont'], string>, string> = {
  JetBrainsMono: mono,
  FiraCode: `'Fira Code', ${mono}`,
  IBMPlexMono: `'IBM Plex Mono', ${mono}`,
  SourceCodePro: `'Source Code Pro', ${mono}`,
  RobotoMono: `'Roboto Mono', ${mono}`,
  SpaceMono: `'Space Mono', ${mono}`,
  DMMono: `'DM Mono', ${mono}`,
  Inconsolata: `Inconsolata, ${mono}`,
};

/** A string in CSS. Everything but letters, digits, spaces and hyphens is written by its code point, so that no text ends the string. */
const cssString = (text: string) =>
  `"${text.replace(/[^\p{L}\p{N} -]/gu, (sign) => `\\${(sign.codePointAt(0) ?? 0xfffd).toString(16)} `)}"`;

/** The address of a font file, or null when it is none that a page may load. */
function fontUrl(address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** Quotes and brackets, which the parser of URLs leaves, are encoded too. */
const cssUrl = (url: URL) =>
  `url("${url.href.replace(/["'()\\\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}")`;

const definitionsOf = ({ font, monospaceFont }: Styling): Definition[] =>
  [font, monospaceFont].filter((each) => typeof each === 'object');

const maxFaces = 60;

/** The rules that load the fonts of a customization from the addresses that it names. */
export function fontFaces({ styling }: Customization): string {
  const rules = definitionsOf(styling).flatMap(({ fontFamily, fontFaces: faces }) =>
    faces.flatMap(({ weight, sources }) => {
      const listed = sources.flatMap(({ url, format }) => {
        const address = fontUrl(url);
        if (!address) return [];
        return [`${cssUrl(address)}${format === 'woff2' || format === 'woff' ? ` format("${format}")` : ''}`];
      });
      if (listed.length === 0 || !Number.isFinite(weight)) return [];
      return [
        `@font-face{font-family:${cssString(fontFamily)};font-weight:${weight};font-display:swap;src:${listed.join(',')}}`,
      ];
    }),
  );
  return rules.slice(0, maxFaces).join('');
}

/** The origins that the fonts of a customization come from, for `font-src` of the policy. */
export function fontSources({ styling }: Customization): string[] {
  const origins = definitionsOf(styling).flatMap((definition) =>
    definition.fontFaces.flatMap(({ sources }) => sources.flatMap(({ url }) => fontUrl(url)?.origin ?? [])),
  );
  return [...new Set(origins)];
}

/** The values of `font-family` for text and for code. */
export function fontFamilies({ styling: { font, monospaceFont } }: Customization): { text: string; code: string } {
  const known = (table: Record<string, string>, name: string, fallback: string) =>
    Object.hasOwn(table, name) ? (table[name] ?? fallback) : fallback;
  return {
    text: typeof font === 'object' ? `${cssString(font.fontFamily)}, ${sans}` : known(stacks, font, sans),
    code:
      typeof monospaceFont === 'object'
        ? `${cssString(monospaceFont.fontFamily)}, ${mono}`
        : known(monospaceStacks, monospaceFont, mono),
  };
}
