import { type Write, write } from '../../../../shared/store/port.js';
import type { HasLedger } from '../storage/ledger.js';
import { blobUseId, blobUses } from '../storage/model.js';
import { type FontDocument, fontOwner } from './model.js';

/** Notes that the font uses its files, so that they stay. */
export async function keepFontFiles({ ledger }: HasLedger, font: FontDocument): Promise<void> {
  const owner = fontOwner(font);
  await ledger.openUsage(owner);
  for (const { blob, size } of font.faces) await ledger.keepBlob(owner, { blob, size });
}

/** The condition that nobody else took the files of a font for unused meanwhile. */
export const usesHold = ({ _id, faces }: FontDocument): Write[] =>
  [...new Set(faces.map(({ blob }) => blob))].map((blob) => write.check(blobUses, { _id: blobUseId(_id, blob) }, 1));
