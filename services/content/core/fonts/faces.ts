import { conflict, invalid } from '../../../../shared/errors/errors.js';
import { fontFormats } from '../storage/uploads/font-format.js';
import type { FontFace } from './model.js';

/** Weights of one font, as customizations of sites take them. */
const maxWeights = 30;

/** A change of the files of a weight; without a face it removes them. */
export interface WantedFace {
  weight: number;
  face: FontFace | null;
}

/** The faces of a font after a change: the weights that it names have these files alone. Throws 400 for a format twice, and without the weight 400. */
export function facesAfter(before: readonly FontFace[], wanted: readonly WantedFace[]): FontFace[] {
  const changed = new Set(wanted.map(({ weight }) => weight));
  const given = wanted.flatMap(({ face }, at) => {
    if (!face) return [];
    const isTwice = wanted.some(
      ({ weight, face: other }, earlier) => earlier < at && weight === face.weight && other?.format === face.format,
    );
    if (isTwice)
      throw invalid(`fontFaces.${at}: the weight ${face.weight} has another file of the format ${face.format}`);
    return [face];
  });
  const after = [...before.filter(({ weight }) => !changed.has(weight)), ...given].sort(
    (a, b) => a.weight - b.weight || fontFormats.indexOf(a.format) - fontFormats.indexOf(b.format),
  );
  if (!after.some(({ weight }) => weight === 400)) throw invalid('fontFaces: must have a file of the weight 400');
  if (new Set(after.map(({ weight }) => weight)).size > maxWeights)
    throw conflict(`A font has at most ${maxWeights} weights`, 'limit_reached');
  return after;
}
