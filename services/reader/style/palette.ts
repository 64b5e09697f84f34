import type { Customization } from '../../sites/resources.js';
import { contrastOf, type Oklch, toHex, toOklch, withContrast } from './color.js';

type Scheme = 'light' | 'dark';
type Styling = Customization['styling'];

/** The colors of a page in one scheme, by the names of their custom properties. */
export type Palette = Record<string, string>;

/** The contrast of text with everything that may be behind it, and of the borders of fields; WCAG 2.2 level AA. */
const [minText, minBorder] = [4.5, 3];
/** A brand color that nearly carries white text is darkened until it does; others carry black text. */
const nearlyEnough = 3.2;

/** Lightness of the neutral colors. */
const levels = {
  light: {
    paper: 1,
    soft: 0.978,
    raised: 1,
    line: 0.92,
    border: 0.66,
    text: 0.25,
    textSoft: 0.44,
    textFaint: 0.53,
    tinted: 0.955,
    tintedLine: 0.86,
  },
  dark: {
    paper: 0.175,
    soft: 0.212,
    raised: 0.235,
    line: 0.3,
    border: 0.55,
    text: 0.93,
    textSoft: 0.77,
    textFaint: 0.68,
    tinted: 0.27,
    tintedLine: 0.42,
  },
};

/** A neutral color of a lightness: gray, with a breath of the tint. */
function neutrals({ tint }: Styling, scheme: Scheme): (l: number) => Oklch {
  if (!tint) return (l) => ({ l, c: l === 1 ? 0 : 0.006, h: 265 });
  const { c, h } = toOklch(tint.color[scheme]);
  const maxChroma = (l: number) => (l > 0.9 ? 0.012 : l < 0.3 ? 0.016 : 0.028);
  return (l) => ({ l, c: Math.min(c, maxChroma(l)), h });
}

/** A solid color and the text on it. */
function solidOf(color: Oklch): { solid: string; on: string } {
  const asIs = toHex(color);
  if (contrastOf(asIs, '#ffffff') >= nearlyEnough)
    return { solid: withContrast(color, ['#ffffff'], minText), on: '#ffffff' };
  return { solid: asIs, on: '#000000' };
}

/** A color for text, its background and its border, as hints and active entries have them. */
function tonesOf(color: Oklch, scheme: Scheme, papers: string[]): { text: string; soft: string; line: string } {
  const { tinted, tintedLine } = levels[scheme];
  const soft = toHex({ ...color, l: tinted, c: Math.min(color.c, scheme === 'light' ? 0.03 : 0.05) });
  const line = toHex({ ...color, l: tintedLine, c: Math.min(color.c, 0.09) });
  return { text: withContrast(color, [...papers, soft], minText), soft, line };
}

/** The header preset in effect: the theme `bold` fills a header for which nothing else is set. */
export function headerPresetOf({ header: { preset }, styling: { theme } }: Customization): string {
  return preset === 'default' && theme === 'bold' ? 'bold' : preset;
}

function headerColors(customization: Customization, scheme: Scheme, page: Palette): Palette {
  const { header } = customization;
  const filled = (color: Oklch) => {
    const { solid, on } = solidOf(color);
    return { back: solid, text: on, link: on };
  };
  const byPreset = () => {
    const preset = headerPresetOf(customization);
    const linkColor = header.linkColor?.[scheme];
    const withLink = (colors: { back: string; text: string; link: string }) =>
      linkColor === undefined ? colors : { ...colors, link: withContrast(toOklch(linkColor), [colors.back], minText) };
    if (preset === 'bold') return filled(toOklch(customization.styling.primaryColor[scheme]));
    if (preset === 'contrast')
      return { back: page['--text'] ?? '', text: page['--paper'] ?? '', link: page['--paper'] ?? '' };
    if (preset === 'custom' && header.backgroundColor) {
      const color = toOklch(header.backgroundColor[scheme]);
      // The color of a header stays as it is set, unless no text can be read on it.
      const back = toHex(color);
      const on = contrastOf(back, '#ffffff') >= minText ? '#ffffff' : '#000000';
      return withLink({ back, text: on, link: on });
    }
    return { back: page['--paper'] ?? '', text: page['--text'] ?? '', link: page['--text-soft'] ?? '' };
  };
  const { back, text, link } = byPreset();
  return { '--header-back': back, '--header-text': text, '--header-link': link };
}

/** All colors of a customization that pages use in a scheme. */
export function paletteOf(customization: Customization, scheme: Scheme): Palette {
  const { styling } = customization;
  const level = levels[scheme];
  const neutral = neutrals(styling, scheme);
  const isMuted = styling.theme === 'muted';
  const gray = (l: number) => toHex(neutral(l));
  // On a muted site the page is tinted, and what lies on it is plain.
  const paper = isMuted ? gray(level.soft) : gray(level.paper);
  const soft = isMuted ? gray(scheme === 'light' ? 0.955 : 0.15) : gray(level.soft);
  const raised = gray(level.raised);
  const primaryColor = toOklch(styling.primaryColor[scheme]);
  const papers = [paper, soft, raised];
  const primary = tonesOf(primaryColor, scheme, papers);
  const { solid, on } = solidOf(primaryColor);
  const states = Object.entries({
    info: styling.infoColor,
    success: styling.successColor,
    warning: styling.warningColor,
    danger: styling.dangerColor,
  }).flatMap(([name, color]) => {
    const tones = tonesOf(toOklch(color[scheme]), scheme, papers);
    return [
      [`--${name}`, tones.text],
      [`--${name}-soft`, tones.soft],
      [`--${name}-line`, tones.line],
    ];
  });
  const backgrounds = [...papers, primary.soft];
  const page: Palette = {
    '--paper': paper,
    '--paper-soft': soft,
    '--paper-raised': raised,
    '--text': gray(level.text),
    '--text-soft': withContrast(neutral(level.textSoft), backgrounds, minText),
    '--text-faint': withContrast(neutral(level.textFaint), backgrounds, minText),
    '--line': gray(isMuted && scheme === 'light' ? 0.9 : level.line),
    '--line-strong': withContrast(neutral(level.border), papers, minBorder),
    '--primary': primary.text,
    '--primary-soft': primary.soft,
    '--primary-line': primary.line,
    '--primary-solid': solid,
    '--on-primary': on,
    '--focus': primary.text,
    ...Object.fromEntries(states),
  };
  return { ...page, ...headerColors(customization, scheme, page) };
}
