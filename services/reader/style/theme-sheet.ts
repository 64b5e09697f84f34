import { createHash } from 'node:crypto';
import type { Customization } from '../../sites/resources.js';
import { fontFaces, fontFamilies } from './font-stacks.js';
import { headerPresetOf, paletteOf } from './palette.js';

interface ThemeSheet {
  css: string;
  hash: string;
}

/** Made once for each customization: colors take a millisecond, and every page names its sheet. */
const made = new WeakMap<Customization, ThemeSheet>();

/** The stylesheet of a customization: its colors and fonts as custom properties, over the defaults of the common stylesheet. */
export function themeSheet(customization: Customization): ThemeSheet {
  const known = made.get(customization) ?? makeThemeSheet(customization);
  made.set(customization, known);
  return known;
}

function makeThemeSheet(customization: Customization): ThemeSheet {
  const light = paletteOf(customization, 'light');
  const dark = paletteOf(customization, 'dark');
  const colors = Object.entries(light).map(([name, value]) => {
    const other = dark[name] ?? value;
    return `${name}:${value === other ? value : `light-dark(${value},${other})`}`;
  });
  const { text, code } = fontFamilies(customization);
  const properties = [...colors, `--font:${text}`, `--mono:${code}`].join(';');
  // The layer stands over the defaults and below the rules for print and contrast, whichever stylesheet comes first.
  const css = `${fontFaces(customization)}@layer tokens,theme;@layer theme{:root{${properties}}}`;
  return { css, hash: createHash('sha256').update(css).digest('hex').slice(0, 16) };
}

/**
 * The scheme that pages have before a reader chooses: empty for that of the system. A light default of a site with a choice is the
 * default of the field, which nobody set.
 */
function schemeOf({ themes: { default: scheme, toggeable } }: Customization): string {
  return toggeable && scheme === 'light' ? '' : scheme;
}

/** The attributes of `<html>` that the rules of the common stylesheet depend on. */
export function themeAttributes(customization: Customization): Record<string, string> {
  const { styling } = customization;
  return {
    'data-theme': schemeOf(customization),
    'data-site-theme': styling.theme,
    'data-corners': styling.corners,
    'data-depth': styling.depth,
    'data-links': styling.links,
    'data-sidebar': styling.sidebar.background,
    'data-list': styling.sidebar.list,
    'data-search': styling.search,
    'data-code': Object.values(styling.codeTheme.default).some((name) => name.startsWith('monochrome'))
      ? 'monochrome'
      : 'default',
    'data-header': headerPresetOf(customization),
  };
}
