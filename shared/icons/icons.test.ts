import { renderToString } from 'preact-render-to-string';
import { type IconStyle, iconSvg } from './icons.js';

const shown = (name: string, style: IconStyle = 'solid') => {
  const icon = iconSvg(name, style, 'lead');
  return icon === null ? '' : renderToString(icon);
};

it('draws an icon by the name that pages give it', () => {
  expect(shown('book')).toMatch(/^<svg class="icon lead" viewBox="0 0 \d+ \d+" .*aria-hidden="true"><path d="M/);
  expect(shown('fa-book')).toBe(shown('book'));
  expect(shown('fa-solid fa-book')).toBe(shown('book'));
});

it('finds marks of brands, and icons that are free in the other style alone', () => {
  expect(shown('github', 'regular')).toContain('<path');
  expect(shown('rocket', 'regular')).toBe(shown('rocket', 'solid'));
  expect(shown('bell', 'regular')).not.toBe(shown('bell', 'solid'));
});

it('shows the nearest free icon in place of one that is not free', () => {
  expect(shown('sparkles')).toBe(shown('wand-magic-sparkles'));
  expect(shown('user-robot')).toBe(shown('robot'));
});

it('shows nothing for a name that no icon has', () => {
  for (const name of ['', 'no-such-icon', '__proto__', '../faBook', 'book"><script>', 'a'.repeat(1000)])
    expect(iconSvg(name, 'solid')).toBeNull();
});
