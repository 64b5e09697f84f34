import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { HasBlobs } from '../../../../../shared/blobs/port.js';
import { type ArchiveTaking, archiveList, type DescribedFile } from '../../../../../shared/contract/archive.js';
import { timestampSchema } from '../../../../../shared/contract/fields.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import { facesAfter } from '../../../core/fonts/faces.js';
import { keepFontFiles, usesHold } from '../../../core/fonts/font-files.js';
import { type FontDocument, type FontFace, fonts } from '../../../core/fonts/model.js';
import { fontFamilySchema, fontWeightSchema, uploadKinds } from '../../../core/resources.js';
import type { HasLedger } from '../../../core/storage/ledger.js';
import { fontFormatOf, fontFormats, fontHeaderBytes } from '../../../core/storage/uploads/font-format.js';
import { archivedId } from '../archived-fields.js';

type Dependencies = HasBlobs & HasLedger;

const faceSchema = z.strictObject({ weight: fontWeightSchema, format: z.enum(fontFormats) });
type Face = z.output<typeof faceSchema>;

const toStoredFace = (face: Face, blob = '', size = 0): FontFace => ({
  weight: face.weight,
  blob,
  size,
  format: face.format,
});

/** Faces that a font may have, in their order. */
const facesSchema = z
  .array(faceSchema)
  .max(100)
  .superRefine((faces, context) => {
    const given = faces.map((face) => toStoredFace(face));
    try {
      const sorted = facesAfter(
        [],
        given.map((face) => ({ weight: face.weight, face })),
      );
      if (!isDeepStrictEqual(sorted, given))
        context.addIssue({ code: 'custom', message: 'must be in the order of weights and formats' });
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  });

const fontLine = z.strictObject({
  id: archivedId,
  fontFamily: fontFamilySchema,
  faces: facesSchema,
  createdAt: timestampSchema,
});

const facePath = (id: string, { weight, format }: Face): string => `fonts/${id}/${weight}.${format}`;

const faceFile = (id: string, face: Face): DescribedFile => ({
  field: 'faces',
  path: facePath(id, face),
  maxBytes: uploadKinds.customization_font,
  problemOf: (content) =>
    fontFormatOf(content.subarray(0, fontHeaderBytes), content.length) === face.format
      ? undefined
      : `must be a font of the format ${face.format}`,
});

/** Fonts with their files, which count as those of any font. */
async function withFiles(
  deps: HasStore & Dependencies,
  added: FontDocument[],
  { files }: ArchiveTaking,
): Promise<FontDocument[]> {
  const made: FontDocument[] = [];
  for (const font of added) {
    const faces: FontFace[] = [];
    for (const face of font.faces) {
      const blob = files[facePath(font._id, face)] ?? '';
      faces.push(toStoredFace(face, blob, (await deps.blobs.size(blob)) ?? 0));
    }
    const whole = { ...font, faces };
    await keepFontFiles(deps, whole);
    made.push(whole);
  }
  return made;
}

/** The fonts of an organization. */
export const archivedFonts = archiveList({
  file: 'fonts.ndjson',
  collection: fonts,
  describe: ({ _id: id, fontFamily, faces, createdAt }) => ({
    id,
    fontFamily,
    faces: faces.map(({ weight, format }) => ({ weight, format })),
    createdAt,
  }),
  line: fontLine,
  files: ({ id, faces }) => faces.map((face) => faceFile(id, face)),
  blobs: ({ _id, faces }) => faces.map((face) => ({ path: facePath(_id, face), blob: face.blob })),
  restore: ({ id: _id, faces, ...line }, { organization }): FontDocument => ({
    ...line,
    _id,
    organization,
    faces: faces.map((face) => toStoredFace(face)),
    version: 1,
  }),
  complete: (deps: HasStore & Dependencies, added, taking) => withFiles(deps, added, taking),
  besides: (_, added) => added.flatMap(usesHold),
});
