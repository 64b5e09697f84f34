import { createRequire } from 'node:module';
import type { VNode } from 'preact';
import { substitutes } from './substitutes.js';

const require = createRequire(import.meta.url);

export type IconStyle = 'regular' | 'solid';

interface Shape {
  width: number;
  height: number;
  path: string;
}

/** The loaded icons by their style and name; null for a name that no icon has. */
const kept = new Map<string, Shape | null>();
const maxKept = 5000;

/**
 * The icon of Font Awesome Free with a name such as `book` or `fa-book`, as hidden decoration in the color of the text. A name that only Font
 * Awesome Pro has gives the nearest free icon, and an unknown one gives null.
 */
export function iconSvg(name: string, style: IconStyle, className?: string): VNode | null {
  const shape = findShape(name, style);
  return (
    shape && (
      <svg
        class={className === undefined ? 'icon' : `icon ${className}`}
        viewBox={`0 0 ${shape.width} ${shape.height}`}
        width="1em"
        height="1em"
        fill="currentColor"
        aria-hidden="true"
      >
        <path d={shape.path} />
      </svg>
    )
  );
}

const iconName = /(?:^|\s)(?:fa-)?([a-z0-9]+(?:-[a-z0-9]+)*)$/;
const maxName = 60;

function findShape(written: string, style: IconStyle): Shape | null {
  const name = written.length > maxName ? undefined : iconName.exec(written.trim().toLowerCase())?.[1];
  if (name === undefined) return null;
  const key = `${style} ${name}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const substitute = substitutes.get(name);
  const found = loadShape(name, style) ?? (substitute === undefined ? null : loadShape(substitute, style));
  if (kept.size < maxKept) kept.set(key, found);
  return found;
}

/** Most icons are free in one of the styles alone; marks of brands have a style of their own. */
function loadShape(name: string, style: IconStyle): Shape | null {
  const order = style === 'regular' ? ['regular', 'solid', 'brands'] : ['solid', 'brands', 'regular'];
  const file = `fa${name.replace(/(?:^|-)([a-z0-9])/g, (_, first: string) => first.toUpperCase())}`;
  for (const folder of order) {
    const shape = readShape(`@fortawesome/free-${folder}-svg-icons/${file}`);
    if (shape) return shape;
  }
  return null;
}

function readShape(module: string): Shape | undefined {
  try {
    const { width, height, svgPathData } = require(module) as { width: number; height: number; svgPathData: unknown };
    return typeof svgPathData === 'string' ? { width, height, path: svgPathData } : undefined;
  } catch {
    return undefined;
  }
}
